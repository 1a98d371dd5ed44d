import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The notes of a run. A resume by a later version must find each under its name. */
const NOTES =
  'account_audience asked_at audience_read canary_looked_at changes concurrent_runs counts_before creation gone_sending hides_people ledger_id ledger_list ledger_mark ' +
  'looked_up lost_dates lost_dates_rolled_back newest_before new_flows open_beside_list open_opt_outs other_key outcomes output_begun ' +
  'only_opt_outs overtaken_by own_contact_keys own_keys own_suppression_keys plan read_differently rejects_of report_copies subscribed_since suppressed_total total_before undated_keys ' +
  'unnamed_failures unseen_replays unwritten upsert_false';

test('svc stores notes in run.db under unchanged names (D1)', () => {
  const texts = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(/_NOTE = '(.*)'/g)].map(([, name]) => name));
  expect(names.sort()).toEqual(NOTES.split(' ').sort());
});
