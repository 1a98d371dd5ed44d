import type { Finding } from '../../base/finding.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Warns if the last list went to another audience of the same name. svc does not know who left that audience (C1). With
 * --only-changed or --gone, and without --full, `onlyChangedFindings` stops instead.
 */
export function replacedAudienceFindings(context: CheckContext): readonly Finding[] {
  const { replacedAudience, earlierAudience, survey, options } = context;
  const stopsInstead = earlierAudience !== undefined && options.changes?.full !== true;
  if (!replacedAudience || stopsInstead || survey.contacts === 0) {
    return [];
  }
  const { id, run } = replacedAudience;
  const message = `${run ?? 'this machine'} sent a list to another audience of this name, ${terminalSafe(id)}${stateOfReplaced(context, id)}. svc does not know who left that audience, so this list may sign them up again`;
  const hint =
    'If people left there, add them to the list as unsubscribed, or import them with svc suppressions import';
  return [{ check: 'replaced_audience', level: 'warn', message, hint }];
}

/**
 * What the account shows of a replaced audience: the end of a sentence with its id. Empty if svc did not read the
 * account, or not this audience.
 */
export function stateOfReplaced({ snapshot, replacedAudience }: CheckContext, id: string): string {
  if (!snapshot || replacedAudience?.id !== id) {
    return '';
  }
  const { replaced } = snapshot;
  return replaced ? `, which is now named "${terminalSafe(replaced.name)}"` : ', which this account does not have';
}
