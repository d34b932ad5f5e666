/** Devices that lack a screen, a LED or haste, and links to turbos that are not on a serial port. */
export const hardware = {
  name: '0012-hardware',
  sql: `
    ALTER TABLE devices ADD COLUMN screen INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE devices ADD COLUMN led INTEGER NOT NULL DEFAULT 1;
    -- 1: it asks only now and then for what it is to show.
    ALTER TABLE devices ADD COLUMN slow INTEGER NOT NULL DEFAULT 0;

    -- Milliseconds that the device may take to show the command once it is first: 0 for all but slow devices.
    ALTER TABLE commands ADD COLUMN latency_ms INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE serial_links RENAME TO turbo_links;
    ALTER TABLE turbo_links ADD COLUMN kind TEXT NOT NULL DEFAULT 'usb';
    -- Of the kinds that are not usb: the address, its name for people, and the number that the next place will have.
    ALTER TABLE turbo_links ADD COLUMN url TEXT NOT NULL DEFAULT '';
    ALTER TABLE turbo_links ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE turbo_links ADD COLUMN next_place INTEGER NOT NULL DEFAULT 1;

    -- Ranges of LEDs on a strip: each is a device. A number is never used twice on one link.
    CREATE TABLE link_places (
      link_id INTEGER NOT NULL REFERENCES turbo_links ON DELETE CASCADE,
      number INTEGER NOT NULL,
      label TEXT NOT NULL,
      start INTEGER NOT NULL,
      count INTEGER NOT NULL,
      -- 1: its label was not given to its device yet.
      is_new INTEGER NOT NULL,
      PRIMARY KEY (link_id, number)
    ) STRICT, WITHOUT ROWID;
  `,
};
