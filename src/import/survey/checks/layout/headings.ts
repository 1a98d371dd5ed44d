import type { Finding } from '../../../../base/finding.ts';
import { plural, shellFlag, shortenForMessage } from '../../../../base/lib/text.ts';
import { explainsOptOutMark } from '../../../consent-columns/cells/headings.ts';
import type { AllowedLayouts } from '../../../mapping/reading-answers.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import { addExampleOf, type ExamplesByText, OTHER_TEXTS, textOfCells } from '../../statistics/examples.ts';
import { rowsFinding, type TableWithStatistics } from '../check-context.ts';

/**
 * Findings about rows that are headings above people who left, or that explain a mark. Each different text has a
 * finding and an answer of its own, so that no answer counts for a text that the user has not read (C10).
 */
export function headingFindings(
  { table, statistics: { headings } }: TableWithStatistics,
  allowed: Pick<AllowedLayouts, 'headings' | 'legends'>,
): readonly Finding[] {
  const label = sourceLabel(table.source);
  return [
    ...findingsOf(label, headings.headings, { ...HEADING, allowed: allowed.headings }),
    ...findingsOf(label, withTitles(table, headings.legends), { ...LEGEND, allowed: allowed.legends }),
  ];
}

interface Kind {
  readonly flag: string;
  readonly advice: string;
  /** The message about rows with this text. */
  message(rows: string, isOne: boolean): string;
  when(text: string): string;
  /** The sentence that ends the message once the user has answered for the text. */
  readonly answered: string;
}

const HEADING: Kind = {
  flag: '--allow-heading',
  advice: 'Move the people who left to a file whose name says their state',
  message: (rows) =>
    `${rows} without an address that may be the heading of a group of people who left. The rows below or above it may be this group`,
  when: (text) => `Only if the people below ${text} did not leave`,
  answered: 'Your answer says that the people below did not leave',
};

// svc can't read the marks that a legend explains. A mark can stand beside a name, in a cell of its own, or be a color.
const LEGEND: Kind = {
  flag: '--allow-legend',
  advice: 'Move the people with the mark to a file whose name says their state, and remove the explanation',
  message: (rows, isOne) =>
    `${rows} ${isOne ? 'explains' : 'explain'} a mark that means no mail. svc doesn't read such marks, so people with the mark count like all others`,
  when: (text) => `Only if no person has the mark that ${text} explains`,
  answered: 'Your answer says that no person has it',
};

const MAX_TEXTS = 10;

// The advice is a sentence, not a flag. So one command that answers several stops at once can't answer these stops.
function findingsOf(
  label: string,
  byText: ExamplesByText,
  { flag, advice, message, when, answered: ending, allowed }: Kind & { readonly allowed: readonly string[] },
): readonly Finding[] {
  const answered = new Set(allowed.map((text) => textOfCells([text])));
  const texts = [...byText].map(([text, rows]) => ({
    text,
    rows,
    isAllowed: text !== OTHER_TEXTS && answered.has(text),
  }));
  const open = texts.filter(({ isAllowed }) => !isAllowed);
  // The further texts are shown once the first ones are answered.
  return [...open.slice(0, MAX_TEXTS), ...texts.filter(({ isAllowed }) => isAllowed)].flatMap(
    ({ text, rows, isAllowed }) => {
      const shown = JSON.stringify(shortenForMessage(text));
      const counted = `${plural(rows.total, 'row')}${text === OTHER_TEXTS ? '' : ` ${shown}`}`;
      const otherwise = text === OTHER_TEXTS ? [] : [{ when: when(shown), flags: shellFlag(flag, text) }];
      const answers = isAllowed ? {} : { hint: advice, otherwise };
      return rowsFinding(rows, {
        check: 'ragged_rows',
        level: isAllowed ? 'warn' : 'stop',
        message: `${label}: ${message(counted, rows.total === 1)}${isAllowed ? `. ${ending}` : ''}`,
        ...answers,
      });
    },
  );
}

function withTitles({ source, dialect }: Table, legends: ExamplesByText): ExamplesByText {
  const all: ExamplesByText = new Map();
  for (const { line, text } of (dialect.titles ?? []).filter((title) => explainsOptOutMark([title.text]))) {
    addExampleOf(all, textOfCells([text]), () => ({ file: source.entry ?? source.name, line, value: text }));
  }
  for (const [text, { total, shown }] of legends) {
    const above = all.get(text) ?? { total: 0, shown: [] };
    all.set(text, { total: above.total + total, shown: [...above.shown, ...shown].slice(0, 5) });
  }
  return all;
}
