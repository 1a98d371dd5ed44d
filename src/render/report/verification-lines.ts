import { safe } from '../../base/lib/text.ts';
import type { Verification, VerificationCheck } from '../../migrate/types.ts';
import type { Style, Tone } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

const MARKS: Readonly<Record<VerificationCheck['status'], { mark: string; tone: Tone }>> = {
  passed: { mark: '✓', tone: 'green' },
  failed: { mark: '✗', tone: 'red' },
  skipped: { mark: '–', tone: 'dim' },
};

/** What was read back from the service, and whether it holds what was sent. */
export function verificationLines(verification: Verification, style: Style): string[] {
  return verification.checks.flatMap(({ check, status, message }) => {
    const { mark, tone } = MARKS[status];
    const margin = { first: `  ${mark} `, rest: '    ' };
    return wrap(`${safe(check)}: ${safe(message)}`, style.columns, margin).map(style[tone]);
  });
}
