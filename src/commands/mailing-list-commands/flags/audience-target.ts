import { checkAudienceName, checkNewAudienceName } from '../../../api/resources/audiences.ts';
import { checkId } from '../../../api/resources/ids.ts';
import type { Emit } from '../../../base/events.ts';
import { EXIT, SvcError, withoutFlags } from '../../../base/lib/errors.ts';
import { shellFlag, shellWord } from '../../../base/lib/text.ts';
import { findExistingAudience } from '../../../migrate/audience/target.ts';
import type { Question } from '../../../run-lifecycle/data/questioner.ts';
import type { TargetOptions } from '../../../run-lifecycle/data/run-options.ts';
import type { Audience } from '../../../wire/shapes.ts';
import { isObjectName } from '../../framework/find-id.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { askQuestion } from '../../framework/output/prompts.ts';
import { type Account, type DisplayOptions, withAccount } from '../../framework/settings/account.ts';
import type { Settings } from '../../framework/settings/settings.ts';
import { retypeLine, withCommandsInHint } from '../retype-line.ts';

export interface AudienceFlags {
  readonly audience?: string;
  readonly audienceName?: string;
  readonly createAudience?: boolean;
}

/**
 * The audience that the flags or the profile choose. --audience takes an id or an exact name. A new audience gets its
 * name only from --audience-name, so that an id with a typing error never becomes a name. Throws a usage error for an
 * invalid id or name.
 */
export function audienceTarget(flags: AudienceFlags, settings: Pick<Settings, 'audience'>): TargetOptions {
  const target = targetOf(flags, settings);
  const { id, name, create } = target;
  if (create && name === undefined) {
    throw noNameToCreate(flags.audience);
  }
  if (name !== undefined) {
    const checkName = create ? checkNewAudienceName : checkAudienceName;
    checkName(name);
  }
  if (id !== undefined) {
    checkId('audience', id);
  }
  return target;
}

function targetOf(flags: AudienceFlags, { audience }: Pick<Settings, 'audience'>): TargetOptions {
  const { audienceName, createAudience: create = false } = flags;
  const target = { id: undefined, name: undefined, create, mustExist: undefined, resumed: undefined };
  if (flags.audience !== undefined && audienceName !== undefined) {
    throw flagError('--audience and --audience-name exclude each other', [
      'Give only one of them:',
      withoutFlags(['--audience-name', '--create-audience']),
      withoutFlags(['--audience']),
    ]);
  }
  const idOrName = flags.audience ?? (audienceName === undefined ? audience : undefined);
  if (idOrName === undefined || audienceName !== undefined || !isObjectName('audience', idOrName)) {
    return { ...target, id: idOrName, name: audienceName };
  }
  return { ...target, name: create ? undefined : idOrName };
}

/** The error for --create-audience without --audience-name. `audience` is the value of --audience. */
function noNameToCreate(audience: string | undefined): SvcError {
  if (audience === undefined) {
    return flagError('--create-audience needs a name', [
      'To create the audience Newsletter:',
      '--audience-name Newsletter',
    ]);
  }
  if (!isObjectName('audience', audience)) {
    return flagError(`--create-audience can't create an audience with an id: ${checkId('audience', audience)}`, [
      'To use the audience that has this id:',
      withoutFlags(['--create-audience']),
    ]);
  }
  const name = checkNewAudienceName(audience);
  return flagError('--create-audience needs a name in --audience-name, because --audience finds an audience', [
    `To create the audience ${shellWord(name)}:`,
    `${withoutFlags(['--audience'])} with ${shellFlag('--audience-name', name)}`,
  ]);
}

function flagError(message: string, hint: readonly string[]): SvcError {
  return new SvcError(EXIT.usage, 'audience', message, { hint: hint.join('\n') });
}

/** Like audienceTarget, for a command that can't create an audience. */
export function existingTarget(flags: AudienceFlags, settings: Pick<Settings, 'audience'>): TargetOptions {
  return { ...audienceTarget(flags, settings), mustExist: true };
}

export interface OpenAudience {
  readonly account: Account;
  readonly audience: Audience;
  readonly emit: Emit;
}

/**
 * Opens the account, finds the audience and calls `use`. The audience comes from a flag, from the profile, from a
 * question, or is the only one of the account.
 */
export function withOpenAudience<T>(
  invocation: Invocation<AudienceFlags>,
  use: (found: OpenAudience) => Promise<T>,
  showing?: DisplayOptions,
): Promise<T> {
  const { flags, settings, context } = invocation;
  const target = existingTarget(flags, settings);
  const { prompter, signal } = context;
  // All commands that ask this only read contacts. So if the user stops, the message says that nothing was read.
  const questioner = prompter && {
    ask: async ([question]: readonly Question[]) =>
      question ? (await askQuestion(question, { prompter, context, undone: 'read' })).flags : [],
  };
  const commandWith = (flags: string) => retypeLine(flags, invocation);
  const find = async (account: Account, emit: Emit) => {
    const found = await findExistingAudience({ client: account.client, signal, questioner }, target).catch(
      (error: unknown) => {
        throw withCommandsInHint(error, commandWith);
      },
    );
    return use({ account, audience: found.audience, emit });
  };
  return withAccount(invocation, find, showing);
}
