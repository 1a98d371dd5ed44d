import { safe } from '../../base/lib/text.ts';
import type { RunReport } from '../../migrate/types.ts';
import type { Style } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

type Steps = Pick<RunReport, 'next'>;

/** The next steps, numbered. */
export function nextLines({ next }: Steps, style: Style): string[] {
  return next.flatMap((step, index) => {
    const first = `  ${index + 1}. `;
    return wrap(safe(step), style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

const LABEL = '  Next: ';
const NARROW = 60;

/** The same with one label before all steps. On a narrow terminal the steps need its room. */
export function briefNextLines({ next }: Steps, style: Style): string[] {
  const isNarrow = style.columns !== undefined && style.columns < NARROW;
  const first = isNarrow ? '    ' : LABEL;
  const lines = next.flatMap((step, index) => {
    const rest = ' '.repeat(first.length);
    return wrap(safe(step), style.columns, { first: index === 0 ? first : rest, rest });
  });
  return isNarrow && lines.length > 0 ? [LABEL.trimEnd(), ...lines] : lines;
}
