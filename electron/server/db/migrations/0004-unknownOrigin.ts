/**
 * Before, a line with an element in it was stored empty, and the element as if it had come in its own field. Which of the two it
 * was is not known: no display changes, and the next change of a static line removes what has no field of its own.
 */
export const unknownOrigin = {
  name: '0004-unknownOrigin',
  sql: `
    -- Names of elements, with spaces between them.
    ALTER TABLE devices ADD COLUMN unknown_origin TEXT NOT NULL DEFAULT '';
    UPDATE devices SET unknown_origin = trim(
      iif(arrow <> '', 'arrow ', '') || iif(barcode <> '', 'barcode ', '') || iif(qrcode <> '', 'qrcode ', '') || iif(icon <> '', 'icon', '')
    )
    WHERE arrow <> '' OR barcode <> '' OR qrcode <> '' OR icon <> '';
  `,
};
