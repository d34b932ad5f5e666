// Writes stock figures to displays, as statics: each row of a CSV file, 500 rows in one request.
//
//   API_KEY=my-key node stock.mjs stock.csv
//
// The first row names the fields, such as location,statica,quantity (or deviceid instead of location), or any other field of
// statics. An empty cell changes nothing. Prints each refused row with its line, writes the others, and then exits 1.
// Optional: STATION_URL.
import { readFileSync } from 'node:fs';

const { API_KEY, STATION_URL = 'http://127.0.0.1:4680/' } = process.env;
const AT_ONCE = 500;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function call(method, path, body) {
  const headers = { 'API-KEY': API_KEY, 'content-type': 'application/json' };
  const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(new URL(path, STATION_URL), init).catch((error) =>
    fail(`The station at ${STATION_URL} cannot be reached: ${error.cause?.message ?? error.message}`),
  );
  const received = await answer.text();
  if (answer.ok) return JSON.parse(received);
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  fail(`The station answered ${answer.status}: ${isProblem ? JSON.parse(received).detail : received}`);
}

/** Rows of cells, with the lines on which they begin. A cell in quotes can contain commas, doubled quotes and line breaks. */
function* parseCsv(text) {
  let line = 1;
  let row = { line, cells: [] };
  for (const [whole, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === '' && row.cells.length === 0) continue;
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (row.cells.join('') !== '') yield row;
    row = { line, cells: [] };
  }
}

function readRows(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    fail(`${file} cannot be read: ${error.message}`);
  }
  const [head, ...rows] = parseCsv(text);
  return rows.map(({ line, cells }) => {
    if (cells.length !== head.cells.length) fail(`Line ${line} has not ${head.cells.length} cells. Nothing was sent.`);
    const given = head.cells.map((field, index) => [field, cells[index]]).filter(([, cell]) => cell !== '');
    return { line, element: Object.fromEntries(given) };
  });
}

const [file] = process.argv.slice(2);
if (file === undefined) fail('Usage: node stock.mjs FILE.csv');
if (!API_KEY) fail('Set API_KEY to a key of the station.');
const rows = readRows(file);
let written = 0;
for (let start = 0; start < rows.length; start += AT_ONCE) {
  const part = rows.slice(start, start + AT_ONCE);
  const elements = part.map(({ element }) => element);
  // The answer has one element for each of the request, in the same order.
  for (const [index, result] of (await call('POST', '/api/devices/', elements)).entries()) {
    const { line } = part[index];
    if (result.status === 200) written += 1;
    else process.stderr.write(`Line ${line} was refused: ${result.detail}\n`);
    for (const warning of result.warnings ?? []) process.stderr.write(`Line ${line}: warning: ${warning}\n`);
  }
}
process.stdout.write(`${written} of ${rows.length} rows are on their displays.\n`);
if (written < rows.length) process.exitCode = 1;
