import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';
import { makeZip } from '../make-zip.ts';

const MAIN = { name: 'main.csv', content: 'Email,Status\nana@example.com,active\n' };

async function dryRun(
  ...names: readonly string[]
): Promise<{ readonly code: number; readonly findings: readonly string[] }> {
  const world = await createWorld();
  world.file('export.zip', makeZip([MAIN, ...names.map((name) => ({ name, content: 'x' }))]));
  const { code, json } = await world.svc('migrate export.zip --dry-run --json');
  const about = (finding: { message: string }) => finding.message.includes('not read');
  return { code, findings: json.findings.filter(about).map(({ level, message }: never) => `${level} ${message}`) };
}

test.each([
  ['people.xlsx', 'in/older.csv.gz', 'lists.zip'],
  ['meta.json', 'members.ods'],
])('warns about archive entries that may be lists, but are no CSV: %s, %s', async (...names) => {
  const given = names.filter((name) => name !== undefined);
  expect(await dryRun(...given)).toEqual({
    code: 0,
    findings: [`warn export.zip: not read, because it is not CSV: ${given.join(', ')}`],
  });
});

test('stops for an unreadable archive entry named unsubscribed (C4)', async () => {
  expect(await dryRun('unsubscribed.xlsx', 'people.xlsx')).toEqual({
    code: 5,
    findings: [
      'stop export.zip: not read, although the names say that people opted out: unsubscribed.xlsx',
      'warn export.zip: not read, because it is not CSV: people.xlsx',
    ],
  });
});

test('ignores pictures, pages and files of file managers in an archive', async () => {
  const names = ['logo.png', 'posts/1.html', '__MACOSX/._people.xlsx', '.hidden.gz', 'terms.pdf'];
  expect(await dryRun(...names)).toEqual({ code: 0, findings: [] });
});
