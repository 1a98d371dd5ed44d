import type { Finding } from '../../../base/finding.ts';
import { formatNumber, plural, terminalSafe } from '../../../base/lib/text.ts';
import type { OptedOutBefore } from '../../contact-ledger/people/opted-out-before.ts';
import type { CheckContext } from '../check-context.ts';

const CHECK = 'stay_opted_out';

/**
 * Warns about people of the list whom svc unsubscribed when they were missing, and who are still opted out (G6). With
 * --full svc looks up no person, so it names all whom it unsubscribed. Also warns if people are too many to look up.
 */
export function stayOptedOutFindings({ ledgerCounts, options }: CheckContext): readonly Finding[] {
  const { hashes, named = hashes.length, examples, notLookedUp = 0 } = ledgerCounts?.optedOutBefore ?? NONE;
  const findings: Finding[] = [];
  if (named > 0) {
    const more = named - examples.length;
    const names = `${examples.map(terminalSafe).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
    const effect = options.changes?.full
      ? 'With --full svc looks up no person: those who were deleted in the app since are signed up again'
      : 'They stay opted out, because svc never signs people up again';
    const message = `${unsubscribedText(named)}: ${names}. ${effect}`;
    const hint = 'If they should get mail, they sign up again themselves, or you change their status in the app';
    findings.push({ check: CHECK, level: 'warn', message, hint, total: named });
  }
  if (notLookedUp > 0) {
    const message = `An earlier list lacked ${plural(notLookedUp, 'further person', 'further people')} of this list who had left or were unsubscribed then. Together these are too many to look up in one run, so svc sends nothing about ${notLookedUp === 1 ? 'this one' : 'these'}`;
    const hint = 'Each run looks up others of them';
    findings.push({ check: CHECK, level: 'warn', message, hint, total: notLookedUp });
  }
  return findings;
}

function unsubscribedText(count: number): string {
  const isOne = count === 1;
  return `${plural(count, 'person', 'people')} of this list ${isOne ? 'was' : 'were'} unsubscribed by svc in an earlier run, because the list lacked ${isOne ? 'this person' : 'these people'} then`;
}

const NONE: OptedOutBefore = { hashes: [], examples: [] };
