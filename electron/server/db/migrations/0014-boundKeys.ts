/** Keys of boards, each for the board that it was made for. The installer named them by the board. */
export const boundKeys = {
  name: '0014-boundKeys',
  sql: `
    -- Serial number of the only turbo that the key is for; null: of any.
    ALTER TABLE api_users ADD COLUMN turbo TEXT;
    UPDATE api_users SET turbo = substr(name, 1, 19)
    WHERE scope = 'turbo' AND length(name) = 24 AND substr(name, 13, 1) = ':' AND substr(name, 20, 1) = ' '
      AND substr(name, 1, 12) GLOB 'board-[0-9A-F]*' AND substr(name, 7, 6) NOT GLOB '*[^0-9A-F]*'
      AND substr(name, 14, 6) NOT GLOB '*[^0-9A-F]*' AND substr(name, 21) NOT GLOB '*[^0-9a-f]*';
  `,
};
