import type { Emit } from '../../base/events.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { Question } from '../../migrate/plan/questions.ts';
import { checkTarget, findTarget } from '../../migrate/prepare/target.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';
import { askQuestion } from '../framework/output/prompts.ts';
import { type Account, type DisplayOptions, withAccount } from '../framework/settings/account.ts';
import { type AudienceFlags, existingTarget, retypeLine, withWholeHint } from '../long-run/audience-target.ts';

export interface OpenAudience {
  readonly account: Account;
  readonly audience: Audience;
  readonly emit: Emit;
}

/** Opens the account and finds the audience: by flag, by profile, as the only one, or with a question. */
export function withAudience<T>(
  invocation: Invocation<AudienceFlags>,
  use: (found: OpenAudience) => Promise<T>,
  showing?: DisplayOptions,
): Promise<T> {
  const { flags, settings, context } = invocation;
  const target = existingTarget(flags, settings);
  checkTarget(target);
  const { prompter, signal } = context;
  const questioner = prompter && {
    ask: async ([question]: readonly Question[]) =>
      question ? (await askQuestion(question, { prompter, signal, columns: context.stderr.columns })).flags : [],
  };
  const retype = (flags: string) => retypeLine(flags, invocation);
  const find = async (account: Account, emit: Emit) => {
    const found = await findTarget({ client: account.client, signal, questioner }, target).catch((error: unknown) => {
      throw withWholeHint(error, retype);
    });
    if (found.kind !== 'found') {
      throw new SvcError(EXIT.usage, 'audience', 'there is no such audience', { hint: 'See: svc audiences ls' });
    }
    return use({ account, audience: found.audience, emit });
  };
  return withAccount(invocation, find, showing);
}
