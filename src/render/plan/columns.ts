import { listed, plural, safe } from '../../base/lib/text.ts';
import type { Plan } from '../../migrate/types.ts';
import type { Style } from '../text/style.ts';
import { displayWidth, padEnd, shorten, shortenMiddle } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { PlanInput } from './inputs.ts';

const LONGEST_HEADER = 40;
/** Columns beyond this number are only counted. All of them are in the JSON report. */
const SHOWN_COLUMNS = 100;

/** Every column and its target, once for all inputs. Columns that are not sent follow in one line. */
export function columnLines(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[], style: Style): string[] {
  const all = columnsOf(plan, inputs).filter(({ target }) => target !== NOT_SENT);
  const sent = all.slice(0, SHOWN_COLUMNS);
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
      ? wrap(`not sent: ${listed(unsent, SHOWN_COLUMNS)}`, style.columns, { first: '  ', rest: '    ' }).map(style.dim)
      : []),
  ];
}

export function unsentHeaders(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[]): string[] {
  const unsent = columnsOf(plan, inputs).filter(({ target }) => target === NOT_SENT);
  return [...new Set(unsent.map(({ header }) => header))];
}

const NOT_SENT = 'not sent';

// A report lists only attribute columns; a survey lists all.
function columnsOf(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[]): { header: string; target: string }[] {
  const surveyed = inputs.flatMap((input) => input.columns ?? []);
  const columns =
    surveyed.length > 0
      ? surveyed
      : Object.entries(plan.keys).map(([header, key]) => ({ header, target: `attributes.${key}` }));
  const unique = new Map(columns.map((column) => [JSON.stringify([column.header, column.target]), column]));
  return [...unique.values()].map(({ header, target }) => ({
    header: shorten(safe(header), LONGEST_HEADER),
    target: safe(target),
  }));
}
