import { encodedLists } from './lists.ts';
import { type MeasuredList, measure, type Outcome } from './measure.ts';

/** Runs the campaign: `npm run encodings -- --seeds 3`. `--details` prints the lists that svc read wrongly. */
const args = process.argv.slice(2);
const seeds = Number(args[args.indexOf('--seeds') + 1] || 1) || 1;
const all: MeasuredList[] = [];
for (let seed = 1; seed <= seeds; seed++) {
  for (const list of encodedLists(seed)) {
    all.push(await measure(list));
  }
}
print('all lists', all);
for (const language of new Set(all.map(({ list }) => list.language))) {
  print(
    language,
    all.filter(({ list }) => list.language === language),
  );
}
if (args.includes('--details')) {
  for (const { list, outcome, encoding } of all.filter((one) => /wrong|asked/.test(one.outcome))) {
    console.log(`${outcome}: ${list.title}, taken for ${encoding}`);
  }
}

function print(title: string, some: readonly MeasuredList[]): void {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of some) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const parts = [...counts].sort().map(([outcome, count]) => `${outcome} ${count}`);
  console.log(`${title}: ${some.length} lists: ${parts.join(', ')}`);
}
