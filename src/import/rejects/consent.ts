import { csvCell } from '../../base/lib/text.ts';
import { openPrivateWriter } from '../../base/os/files.ts';
import type { People } from '../../runs/store/people.ts';
import { guardedCell } from '../csv/csv-text.ts';
import type { Reading } from '../survey/survey-types.ts';

/**
 * Writes opt-out dates to a file, because a suppression in the service has no date. The columns are address, state,
 * date, source file and line. Without such dates, no file is made.
 */
export async function writeConsent(reading: Pick<Reading, 'tables'>, people: People, path: string): Promise<void> {
  const names = new Map(reading.tables.map(({ source, name }) => [source.index, name]));
  const rows = people.consent();
  let next = rows.next();
  if (next.done) {
    return;
  }
  const file = openPrivateWriter(path);
  try {
    file.write('address,state,date,file,line\n');
    for (; !next.done; next = rows.next()) {
      const { email, state, at, source, line } = next.value;
      const cells = [guardedCell(email), state, at ?? '', csvCell(names.get(source) ?? '', ','), String(line)];
      file.write(`${cells.join(',')}\n`);
    }
  } finally {
    file.close();
  }
}
