import type { Finding } from '../../base/finding.ts';
import { looseNameKey, terminalSafe } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Warns if the last list went to another audience of the same name. svc does not know who left that audience (C1). If
 * two audiences share the name, the check is `shared_name`, because a command may write to them in turns. With
 * --only-changed or --gone, and without --full, `onlyChangedFindings` stops instead.
 */
export function replacedAudienceFindings(context: CheckContext): readonly Finding[] {
  const { replacedAudience, earlierAudience, survey, options, snapshot } = context;
  const stopsInstead = earlierAudience !== undefined && options.changes?.full !== true;
  if (!replacedAudience || stopsInstead || survey.contacts === 0) {
    return [];
  }
  const { id, run } = replacedAudience;
  const message = `${run ?? 'this machine'} sent a list to another audience of this name, ${terminalSafe(id)}${stateOfReplaced(context, id)}. svc does not know who left that audience, so this list may sign them up again`;
  const hint =
    'If people left there, add them to the list as unsubscribed, or import them with svc suppressions import';
  const shown = { level: 'warn', message, hint } as const;
  return snapshot?.replaced && sharesName(context, snapshot.replaced)
    ? [{ check: 'shared_name', ...shown }]
    : [{ check: 'replaced_audience', ...shown }];
}

/**
 * What the account shows of a replaced audience: the end of a sentence with its id. Empty if svc did not read the
 * account, or not this audience.
 */
export function stateOfReplaced(context: CheckContext, id: string): string {
  const { snapshot, replacedAudience } = context;
  if (!snapshot || replacedAudience?.id !== id) {
    return '';
  }
  const { replaced } = snapshot;
  if (!replaced) {
    return ', which this account does not have';
  }
  return sharesName(context, replaced)
    ? ', which the account also has'
    : `, which is now named "${terminalSafe(replaced.name)}"`;
}

/** True if the audience of the run has the name of this one, or a name that looks like it. */
function sharesName({ snapshot, options }: CheckContext, { name }: Pick<Audience, 'name'>): boolean {
  return looseNameKey(name) === looseNameKey(snapshot?.audience?.name ?? options.target.name ?? '');
}
