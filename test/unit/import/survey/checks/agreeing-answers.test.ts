import { expect, test } from 'vitest';
import { createRandom } from '../../../../simulation/random.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { createWorld } from '../../../../support/world.ts';

const HEADERS = ['status', 'newsletter', 'active', 'opted_out', 'note', 'plan'];
const WORDS = ['1', '0', 'yes', 'no', 'true', 'false', 'x', 'left'];
const STATES = ['subscribed', 'unsubscribed', 'skip'];

/** What a dry run says about a list with these answers. */
async function readList(text: string, answers: readonly string[]) {
  const world = await createWorld();
  world.file('list.csv', text);
  const flags = answers.flatMap((answer) => ['--status-map', answer]);
  const { code, json } = await world.svc([
    ...['migrate', 'list.csv', '--dry-run', '--json', '--default-status', 'skip'],
    ...flags,
  ]);
  const messages: string[] = json.findings
    .filter(({ check, level }: Record<string, string>) => check === 'unknown_status' && level !== 'pass')
    .map(({ message }: { message: string }) => message);
  const unused = messages.filter((message) => message.includes('counts for no row'));
  const others = messages.filter((message) => !message.startsWith('--status-map'));
  return { unused, result: JSON.stringify([code === 5 && unused.length === 0, json.plan, json.rows, others]) };
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

test.each(everyNth(SEEDS, 2))(
  'never calls an answer unused when it changes the result, seed %i (C11)',
  async (seed) => {
    const random = createRandom(seed * 2_654_435_761 + 5);
    const header = random.pick(HEADERS);
    const words = WORDS.filter(() => random.chance(0.35));
    const answer = `${random.pick(words.length > 0 ? words : ['x'])}=${random.pick(STATES)}`;
    const rows = words.map((word, index) => `p${index}@example.com,${word}\n`);
    const text = `email,${header}\nana@example.com,yes\nben@example.com,no\n${rows.join('')}`;
    const withAnswer = await readList(text, [answer]);
    if (withAnswer.unused.length > 0) {
      const without = await readList(text, []);
      expect([header, answer, withAnswer.result.replace('true', 'false')]).toEqual([
        header,
        answer,
        without.result.replace('true', 'false'),
      ]);
    }
  },
);

test.each([
  ['status', '1=subscribed', []],
  ['status', '0=unsubscribed', []],
  ['newsletter', 'yes=subscribed', []],
  ['opted_out', '0=subscribed', []],
  [
    'opted_out',
    '1=subscribed',
    ['the word stands only in "opted_out" of list.csv, and the answer must name this column'],
  ],
  ['plan', '1=subscribed', ['the word stands only in "plan" of list.csv, where svc reads no status']],
])('says whether an answer counts: column %s, answer %s (C11)', async (header, answer, expected) => {
  const cells = answer.startsWith('yes') ? ['yes', 'no'] : ['1', '0'];
  const text = `email,${header}\nana@example.com,${cells[0]}\nben@example.com,${cells[1]}\n`;
  const { unused } = await readList(text, [answer]);
  expect(unused.map((message) => message.replace(/^.* counts for no row: /, ''))).toEqual(expected);
});
