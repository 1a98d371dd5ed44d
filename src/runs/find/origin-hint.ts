import { withoutFlags } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';

/** How to continue a run at the service where it began. Undefined for a run that began at an emulator of svc. */
export function hintForOrigin(origin: string): string | undefined {
  const replaced = withoutFlags(['--base-url', '--emulator', '--emulator-data']);
  return /^https?:/.test(origin)
    ? `To continue where it was begun, with a key of the same account:\n${replaced} with --base-url ${shellWord(origin)}`
    : undefined;
}
