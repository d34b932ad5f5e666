// Creates the orders of a CSV file. A wrong row leaves out its order; the others are created.
//
//   API_KEY=my-key node orders.mjs orders.csv
//   API_KEY=my-key node orders.mjs --dry-run orders.csv
//   API_KEY=my-key node orders.mjs --undo
//
// Prints the rows that are left out with their reasons, and then exits 1. The key needs the scope control. Optional: STATION_URL.
import { readFile } from 'node:fs/promises';

const url = new URL(process.env['STATION_URL'] ?? 'http://127.0.0.1:4680/');
const key = process.env['API_KEY'] ?? '';

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

async function post(path, body) {
  const headers = { 'api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) }).catch(() =>
    fail(`The station at ${url} cannot be reached.`),
  );
  const value = await answer.json();
  return answer.ok ? value : fail(`The station answered ${answer.status}: ${value.detail}`);
}

const [last = '', ...others] = process.argv.slice(2).toReversed();
const usage = 'Usage: node orders.mjs [--dry-run] FILE.csv, or node orders.mjs --undo';
if (key === '') fail('Set API_KEY to a key of the station.');
if (last === '' || others.some((option) => option !== '--dry-run')) fail(usage);

if (last === '--undo') {
  const { undone, kept } = await post('/api/order-import/undo/', {});
  for (const { order_number, message } of kept) process.stdout.write(`${order_number} is kept: ${message}\n`);
  process.stdout.write(`${undone} orders removed.\n`);
} else {
  const csv = await readFile(last, 'utf8').catch(() => fail(`${last} cannot be read.`));
  const { rows, counts, dry_run } = await post('/api/order-import/', { csv, dry_run: others.length > 0 });
  for (const { line, outcome, message } of rows) {
    if (message !== '')
      process.stderr.write(`Line ${line} ${outcome === 'new' ? 'warning' : 'left out'}: ${message}\n`);
  }
  process.stdout.write(`${counts.orders} orders ${dry_run ? 'would be created' : 'created'}.\n`);
  if (counts.known + counts.held + counts.refused > 0) process.exit(1);
}
