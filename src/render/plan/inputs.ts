import { formatNumber, joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import type { Plan, ReportInput } from '../../run-lifecycle/data/run-report.ts';
import type { Style } from '../text/style.ts';
import { displayWidth, padEnd, shorten, shortenMiddle } from '../text/width.ts';
import { HANGING, wrapText } from '../text/wrap.ts';

const DELIMITERS: ReadonlyMap<string | null, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
  [null, 'one column'],
]);

/** The lines of the first inputs. Each input has its path, its name in an archive, and how svc reads it. */
export function inputLines(inputs: readonly PlanInput[], style: Style): string[] {
  const more = inputs.length - MAX_SHOWN_INPUTS;
  const lines = inputs.slice(0, MAX_SHOWN_INPUTS).flatMap((input) => oneInput(input, style));
  return more > 0 ? [...lines, style.dim(`  and ${plural(more, 'more input')}`)] : lines;
}

const MAX_SHOWN_INPUTS = 50;
const MAX_SHOWN_NOTES = 12;

function oneInput(input: PlanInput, style: Style): string[] {
  const platformNote = input.recognized ? ` (${terminalSafe(input.recognized)})` : '';
  const details = [
    plural(input.rows, 'row'),
    `${terminalSafe(input.platform)}${platformNote}`,
    terminalSafe(input.encoding),
    DELIMITERS.get(input.delimiter) ?? `delimiter ${terminalSafe(input.delimiter ?? '')}`,
    input.escape === undefined ? undefined : quotingWords(input.quote, input.escape),
    input.state ? `state from ${terminalSafe(input.state.from)}` : undefined,
  ];
  const text = details.filter((detail) => detail !== undefined).join(', ');
  const lines = [text, ...stateColumnTexts(input), ...noteTexts(input)].flatMap((line) =>
    wrapText(line, style.columns, { first: '    ', rest: '    ' }),
  );
  const room = style.columns === undefined ? Number.POSITIVE_INFINITY : style.columns - 2;
  return [`  ${shortenMiddle(inputName(input), room)}`, ...lines.map(style.dim)];
}

const MAX_SHOWN_VALUES = 8;

// What the first values of each status column mean, such as `Status: active 3 (subscribed), left 1 (unsubscribed)`.
function stateColumnTexts({ state }: PlanInput): string[] {
  return (state?.columns ?? []).map(({ column, values }) => {
    const words = values.slice(0, MAX_SHOWN_VALUES).map(({ value, rows, states }) => {
      const meant = Object.entries(states).map(([name, count]) =>
        count === rows ? terminalSafe(name) : `${terminalSafe(name)} ${formatNumber(count)}`,
      );
      return `${value === '' ? 'blank' : terminalSafe(value)} ${formatNumber(rows)} (${meant.join(', ')})`;
    });
    const more =
      values.length > MAX_SHOWN_VALUES ? `, and ${plural(values.length - MAX_SHOWN_VALUES, 'more value')}` : '';
    return `${terminalSafe(column)}: ${words.join(', ')}${more}`;
  });
}

// Lines about columns with free text in which svc found nothing about consent. Only the user can judge whether that is
// right.
function noteTexts({ notes = [] }: PlanInput): string[] {
  const more = notes.length - MAX_SHOWN_NOTES;
  return [
    ...notes
      .slice(0, MAX_SHOWN_NOTES)
      .map(
        ({ column, values }) =>
          `${terminalSafe(column)}: nothing about consent in ${plural(values, 'different value')}`,
      ),
    ...(more > 0 ? [`nothing about consent in ${plural(more, 'more column')}`] : []),
  ];
}

function quotingWords(quote: string | null | undefined, before: string): string {
  const quotes = quote === "'" ? 'single quotes' : quote === '"' ? 'double quotes' : 'no quotes';
  return before === '\\' ? `${quotes}, backslash escapes` : quotes;
}

/** The name of an input: `export.zip › subscribed.csv` in an archive, otherwise its path. */
function inputName({ path, entry }: Pick<PlanInput, 'path' | 'entry'>): string {
  const name = path === '-' ? 'standard input' : terminalSafe(path);
  return entry === undefined ? name : `${name} › ${terminalSafe(entry)}`;
}

/** The names of the inputs. For an archive, the number of its tables in place of their names. */
export function inputNames(inputs: readonly Pick<PlanInput, 'path' | 'entry'>[]): string {
  const paths = Map.groupBy(inputs, (input) => input.path);
  const words = [...paths.values()].map(([first, ...others]) => {
    if (first === undefined) {
      return '';
    }
    return others.length === 0 ? inputName(first) : `${terminalSafe(first.path)} (${others.length + 1} tables)`;
  });
  return words.join(', ');
}

/** The path of the input. With several inputs, the first path and the number of further ones. */
export function pathNames(inputs: readonly Pick<PlanInput, 'path'>[]): string {
  const [first, ...others] = new Set(inputs.map(({ path }) => (path === '-' ? 'standard input' : terminalSafe(path))));
  return first === undefined || others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`;
}

export interface PlanInput extends ReportInput {
  /** How svc knows the platform: `recognized`, `no platform recognized`, or `as --from says`. */
  readonly recognized?: string;
}

/** Adds `recognized` to an input. `platformFlag` is the value of `--from`. */
export function planInput(input: ReportInput, platformFlag: string): PlanInput {
  const found = input.platform === 'generic' ? 'no platform recognized' : 'recognized';
  return { ...input, recognized: platformFlag === 'auto' ? found : 'as --from says' };
}

const LONGEST_HEADER = 40;
/** The maximum number of columns to show. Further columns are only counted; the JSON report has all of them. */
const MAX_SHOWN_COLUMNS = 100;

/**
 * A line for each column with the field that it becomes, for all inputs together. The number of lines is limited. The
 * last line names the columns that are not sent.
 */
export function columnLines(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[], style: Style): string[] {
  const all = columnsOf(plan, inputs).filter(({ target }) => target !== NOT_SENT);
  const sent = all.slice(0, MAX_SHOWN_COLUMNS);
  const unsent = unsentHeaders(plan, inputs);
  const room = style.columns === undefined ? undefined : style.columns - '   → '.length;
  const width = sent.reduce((most, { header }) => Math.max(most, displayWidth(header)), 0);
  return [
    ...sent.map(({ header, target }) => {
      const shown = room === undefined ? target : shortenMiddle(target, room - width);
      return `  ${padEnd(header, width)} ${style.dim('→')} ${shown}`;
    }),
    ...(all.length > sent.length ? [style.dim(`  and ${plural(all.length - sent.length, 'more column')}`)] : []),
    ...(unsent.length > 0
      ? wrapText(`not sent: ${joinAtMost(unsent, MAX_SHOWN_COLUMNS)}`, style.columns, HANGING).map(style.dim)
      : []),
  ];
}

export function unsentHeaders(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[]): string[] {
  const unsent = columnsOf(plan, inputs).filter(({ target }) => target === NOT_SENT);
  return [...new Set(unsent.map(({ header }) => header))];
}

const NOT_SENT = 'not sent';

// All columns and their targets. For a report without `columns`, only the columns that become attributes.
function columnsOf(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[]): { header: string; target: string }[] {
  const surveyed = inputs.flatMap((input) => input.columns ?? []);
  const columns =
    surveyed.length > 0
      ? surveyed
      : Object.entries(plan.keys).map(([header, key]) => ({ header, target: `attributes.${key}` }));
  const unique = new Map(columns.map((column) => [JSON.stringify([column.header, column.target]), column]));
  return [...unique.values()].map(({ header, target }) => ({
    header: shorten(terminalSafe(header), LONGEST_HEADER),
    target: terminalSafe(target),
  }));
}
