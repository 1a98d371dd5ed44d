import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Claim, claimsOf, readClaims, toPage } from './claims.ts';
import { readTitles, titlesIn } from './titles.ts';

const TITLES = readTitles(join(import.meta.dirname, '../..'));
const CLAIMS = readClaims();
const PAGE = join(import.meta.dirname, 'claims.md');

const count = ({ tests = [], open = [], because }: Claim) => tests.length + open.length + (because ? 1 : 0);

describe('the list of all claims of the service document, claims.json', () => {
  test('claims.json names a test, an open point or a reason for each claim', () => {
    expect(CLAIMS.length).toBeGreaterThan(290);
    expect(CLAIMS.filter((claim) => count(claim) === 0)).toEqual([]);
  });

  test('claims.json names only tests that exist exactly once', () => {
    const named = CLAIMS.flatMap(({ tests = [] }) => tests);
    expect(named.filter((title) => TITLES.filter((each) => each === title).length !== 1)).toEqual([]);
  });

  test('claims.json explains each claim that the document marks as not shown', () => {
    const open = CLAIMS.filter(({ claim }) => claim.includes('not shown'));
    expect(open.length).toBeGreaterThan(20);
    expect(
      open.filter(({ open: points = [], because, tests = [] }) => !points.length && !because && !tests.length),
    ).toEqual([]);
  });

  test('claims.json names each contract test that is about a documented claim', () => {
    const named = new Set(CLAIMS.flatMap(({ tests = [] }) => tests));
    const about = /our reading|^contract\/readings|[a-z]=\$|under [a-z_]+=/;
    const beside = new Set(BESIDE);
    const idle = TITLES.filter(
      (title) => /^contract\/(?!coverage\/)/.test(title) && !named.has(title) && !about.test(title),
    );
    expect(idle.filter((title) => !beside.delete(title))).toEqual([]);
    expect([...beside]).toEqual([]);
  });

  /** Tests of this folder that prove no claim of the document, but a rule of HTTP itself. */
  const BESIDE: readonly string[] = ['contract/protocol/rate.test.ts › Date: sends the time of the service’s clock'];

  test('claims.md shows the content of claims.json', () => {
    const page = toPage(CLAIMS);
    if (process.env.UPDATE === '1') {
      writeFileSync(PAGE, page);
    }
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });

  // The document isn't in the package. If it lies beside the checkout, the transcription is compared with it.
  const DOCUMENT = join(import.meta.dirname, '../../../../shared/service-api.md');

  test.runIf(existsSync(DOCUMENT))('claims.json holds each sentence of the service document word for word', () => {
    expect(CLAIMS.map(({ section, claim }) => ({ section, claim }))).toEqual(claimsOf(readFileSync(DOCUMENT, 'utf8')));
  });

  test('titlesIn() finds titles in any quotes and over several lines', () => {
    const text = [
      "test('one', () => {});",
      'test.each([1])("two’s %s", async (value) => {});',
      "test.each([\n  ['a', 'b'],\n])(\n  'it\\'s three: $x',\n  async ({ x }) => {},\n);",
      "expect(f('none', 1)).toBe('none');",
    ].join('\n');
    expect(titlesIn(text)).toEqual(['one', 'two’s %s', "it's three: $x"]);
  });
});
