import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { goldenLines } from '../import/consent-columns/vocabulary/golden.ts';
import { csv, type ReadList, readList } from '../import/support.ts';

const FOLDER = join(import.meta.dirname, '../../../samples');
const ANSWERS = { defaultStatus: { '*': 'subscribed' } };

/** The columns of each platform that are neither sent nor read as a state: `ignore` in the golden file. */
const LEFT_OUT = Map.groupBy(
  goldenLines('platform-headers.txt').filter(({ cells: [, , becomes] }) => becomes === 'ignore'),
  ({ cells: [platform = ''] }) => platform,
);

const GROUP = 6;

/** Columns that are not sent. A value in them means that the person gets no mail. */
const KEEPS_MAIL_AWAY = [
  'deleted_at',
  'UnsubscribedFromID',
  'RemovedOn',
  'bouncecount',
  'IsDeleted',
  'unsubscribed_at',
  'Stop Status',
];

const SAMPLES = await Promise.all(
  globSync('**/*.csv', { cwd: FOLDER }).map(async (path) => {
    const text = String(readFileSync(join(FOLDER, path)));
    const [table] = (await readList({ [basename(path)]: text }, ANSWERS)).reading.tables;
    return {
      name: basename(path),
      platform: table?.platform,
      header: table?.header ?? [],
    };
  }),
);

test.each([...LEFT_OUT])(
  'ignores columns of %s that are not sent, except opt-out columns (C10)',
  async (platform, lines) => {
    const columns = lines.map(({ cells: [, header = ''] }) => header);
    const sample = SAMPLES.find((one) => one.platform === platform) as (typeof SAMPLES)[number];
    const changed: string[] = [];
    // Most of the columns are not in the sample, so the same list stands beside each of them.
    const plain = new Map<string, Promise<ReadList>>();
    const plainListOf = (headers: readonly string[]) => {
      const key = headers.join();
      const found = plain.get(key) ?? listOf(sample.name, headers);
      plain.set(key, found);
      return found;
    };
    /** Whether these columns change the list. Undefined if it is no list of the platform without them. */
    const changes = async (added: readonly string[]) => {
      const others = sample.header.filter((header) => !added.includes(header));
      const [without, beside] = await Promise.all([plainListOf(others), listOf(sample.name, others, added)]);
      return without.reading.tables[0]?.platform === platform ? outcome(without) !== outcome(beside) : undefined;
    };
    const [opposed, harmless] = [true, false].map((keeps) =>
      columns.filter((column) => KEEPS_MAIL_AWAY.includes(column) === keeps),
    ) as [string[], string[]];
    // Several harmless columns are added to one list. Each is added alone when that says nothing, or changes the list.
    for (const group of [...opposed.map((column) => [column]), ...inGroups(harmless, GROUP)]) {
      for (const column of (await changes(group)) === false ? [] : group) {
        changed.push(...((await changes([column])) === true ? [column] : []));
      }
    }
    expect(changed).toEqual(opposed);
  },
);

function inGroups(columns: readonly string[], size: number): readonly (readonly string[])[] {
  const starts = columns.flatMap((_, at) => (at % size === 0 ? [at] : []));
  return starts.map((at) => columns.slice(at, at + size));
}

/** One person with blanks in every column but the address. The columns of `more` have a date. */
function listOf(name: string, headers: readonly string[], more: readonly string[] = []): Promise<ReadList> {
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const at = headers.findIndex((header) => /mail/i.test(header) && !/\b(?:opt|status|marketing)/i.test(header));
  const cells = headers.map((_, index) => (index === at ? 'ana@x.test' : ''));
  const list = csv(quoted([...headers, ...more]), quoted([...cells, ...more.map(() => '2025-06-15')]));
  return readList({ [name]: list }, ANSWERS);
}

function outcome({ contacts, suppressions, trouble }: ReadList): string {
  return JSON.stringify({ contacts, suppressions, trouble });
}
