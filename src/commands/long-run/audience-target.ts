import type { TargetOptions } from '../../migrate/options.ts';
import { isName } from '../framework/find-id.ts';
import { flagsOf } from '../framework/invocation.ts';
import type { Settings } from '../framework/settings/settings.ts';

export interface AudienceFlags {
  readonly audience?: string;
  readonly audienceName?: string;
  readonly createAudience?: boolean;
}

/**
 * The audience that the flags or the profile choose. --audience takes an id or an exact name. Only --audience-name may
 * name an audience to create, so that a mistyped id never becomes an audience.
 */
export function audienceTarget(flags: AudienceFlags, { audience }: Pick<Settings, 'audience'>): TargetOptions {
  const { audienceName, createAudience: create = false } = flags;
  const given = flags.audience ?? (audienceName === undefined ? audience : undefined);
  if (given === undefined || audienceName !== undefined || !isName('audience', given)) {
    return { id: given, name: audienceName, create };
  }
  return create ? { create } : { name: given, create };
}

/** The chosen audience for a command that cannot create one. */
export function existingTarget(flags: AudienceFlags, settings: Pick<Settings, 'audience'>): TargetOptions {
  return { ...audienceTarget(flags, settings), mustExist: true };
}

/** The words of a line without the flags that choose an audience. A hint that chooses another one replaces them. */
export function withoutAudience(words: readonly string[]): readonly string[] {
  const end = flagsOf(words).length;
  const hasValue = (word: string | undefined) => word === '--audience' || word === '--audience-name';
  return words.filter(
    (word, at) =>
      at >= end ||
      !(hasValue(word) || hasValue(words[at - 1]) || /^--(?:audience(?:-name)?=|create-audience$)/.test(word)),
  );
}
