import { formatNumber, plural } from '../../base/text.ts';
import { holdsPeopleWhoLeft, toldState } from '../default-status.ts';
import { shownOf } from '../examples.ts';
import { labelOf } from '../label.ts';
import type { Finding } from '../survey-types.ts';
import type { Table } from '../table.ts';
import type { Watch } from '../watch.ts';
import { firstExamples, type ListCheck, orPass, quote, type SeenTable } from './seen.ts';

/** A word nobody knows, or a blank beside other words, is answered before anything is written (rule C4). */
export const unknownStatus: ListCheck = ({ tables, skipped }) => {
  const held = (skipped.get('unknown_status') ?? 0) > 0 ? tables.flatMap(heldBack) : [];
  return orPass([...tables.flatMap(unknownWords), ...held], 'unknown_status', 'every word for a state is known');
};

// Somebody skipped for a word that stands in a rejected row is told why (rule C9).
function heldBack({ table, watch: { doubtful } }: SeenTable): readonly Finding[] {
  const rows = plural(doubtful.total, 'rejected row names', 'rejected rows name');
  const message = `${labelOf(table.source)}: ${rows} people and can't be understood; other rows don't sign these people up`;
  return doubtful.total === 0 ? [] : [{ check: 'unknown_status', level: 'warn', message, ...shownOf(doubtful) }];
}

/**
 * A list that holds no state anywhere isn't subscribed people until somebody says so (rule C4). An input whose name says
 * that its people left is asked about even where other inputs have a state for all of them.
 */
export const noStatus: ListCheck = ({ tables, skipped }) => {
  const people = skipped.get('no_status') ?? 0;
  const silent = tables.filter(
    ({ table, watch }) => silentRows(watch) > 0 && (people > 0 || (isUnanswered(table) && holdsPeopleWhoLeft(table))),
  );
  return orPass(
    silent.map((seen) => silence(seen, people)),
    'no_status',
    'everybody has a state',
  );
};

function unknownWords({ table, watch }: SeenTable): readonly Finding[] {
  const words = [...watch.unknown].filter(([word]) => word !== '' || table.blank.unknown !== undefined);
  const contradicted = watch.dates.contradicted;
  const warning: readonly Finding[] =
    contradicted.total > 0
      ? [
          {
            check: 'unknown_status',
            level: 'warn',
            message: `${labelOf(table.source)}: ${plural(contradicted.total, 'row says subscribed and holds', 'rows say subscribed and hold')} an opt-out date; the word counts`,
            ...shownOf(contradicted),
          },
        ]
      : [];
  if (words.length === 0) {
    return warning;
  }
  const shown = words
    .slice(0, 12)
    .map(([word, { total }]) => `${word === '' ? 'a blank' : JSON.stringify(word)} (${formatNumber(total)})`);
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : '';
  return [
    {
      check: 'unknown_status',
      level: 'stop',
      message: `${labelOf(table.source)}: words for a state that ${table.platform} isn't known to write: ${shown.join(', ')}${more}`,
      hint: words
        .slice(0, 5)
        .map(([word]) => `--status-map ${quote(`${word}=<state>`)}`)
        .join(' '),
      examples: firstExamples(words.map(([, { shown: examples }]) => examples)),
      total: words.reduce((sum, [, { total }]) => sum + total, 0),
    },
    ...warning,
  ];
}

function silentRows(watch: Watch): number {
  return watch.stateless.total + (watch.unknown.get('')?.total ?? 0);
}

function isUnanswered({ stateless, blank }: Table): boolean {
  return stateless.state === 'none' && (blank.unknown !== undefined || blank.state === 'none');
}

function silence({ table, watch }: SeenTable, people: number): Finding {
  const label = labelOf(table.source);
  const told = toldState(table.source);
  const offered = told ?? table.reading.offers;
  const total = silentRows(watch);
  const all = people > 0 ? ` (${plural(people, 'person', 'people')} of the list in all)` : '';
  const who = `${plural(total, 'row')} of ${label} ${total === 1 ? 'says' : 'say'} nothing about a state${all}`;
  return {
    check: 'no_status',
    level: 'stop',
    message: told ? `${who}, and its name says that these people left` : who,
    hint: offered ? `--default-status ${quote(`${table.source.name}=${offered}`)}` : '--default-status subscribed',
    examples: firstExamples([watch.stateless.shown, watch.unknown.get('')?.shown ?? []]),
    total,
  };
}
