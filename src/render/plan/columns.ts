import { safe } from '../../base/lib/text.ts';
import type { Plan } from '../../migrate/types.ts';
import type { Style } from '../text/style.ts';
import { displayWidth, padEnd, shorten } from '../text/width.ts';
import type { PlanInput } from './inputs.ts';

const LONGEST_HEADER = 40;

/** Every column and its target, once for all inputs. Columns that are not sent follow in one line. */
export function columnLines(plan: Pick<Plan, 'keys'>, inputs: readonly PlanInput[], style: Style): string[] {
  const columns = columnsOf(plan, inputs);
  const sent = columns.filter(({ target }) => target !== NOT_SENT);
  const unsent = columns.filter(({ target }) => target === NOT_SENT).map(({ header }) => header);
  const width = sent.reduce((most, { header }) => Math.max(most, displayWidth(header)), 0);
  return [
    ...sent.map(({ header, target }) => `  ${padEnd(header, width)} ${style.dim('→')} ${target}`),
    ...(unsent.length > 0 ? [style.dim(`  not sent: ${unsent.join(', ')}`)] : []),
  ];
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
