/** Identifies callers of acts like those of other requests, so that a person who is removed and added again is another caller. */
export const callersOfActs = {
  name: '0019-callersOfActs',
  sql: `
    UPDATE OR IGNORE keyed_requests SET caller = (
      SELECT name_key || char(10) || created_at FROM users WHERE username = caller AND created_at <= keyed_requests.at)
      WHERE caller IN (SELECT username FROM users WHERE created_at <= keyed_requests.at);
    UPDATE OR IGNORE keyed_requests SET caller = lower(caller)
      WHERE instr(caller, char(10)) = 0 AND caller NOT IN (SELECT username FROM users);
  `,
};
