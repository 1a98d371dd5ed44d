import { shellWord } from '../../../base/lib/text.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * A whole svc command to paste, for the account of this command: the flags that chose the account on the command line
 * come with it.
 */
export function commandToPaste(words: readonly string[], settings: Settings): string {
  return ['svc', ...words, ...accountFlags(settings)].map(shellWord).join(' ');
}

function accountFlags({ profile, baseUrl, key, emulatorData }: Settings): string[] {
  const flag = (name: string, { value, source }: { readonly value: string | undefined; readonly source: string }) =>
    source === 'flag' && value !== undefined ? [name, value] : [];
  return [
    ...flag('--profile', profile),
    ...flag('--base-url', baseUrl),
    ...(key.kind === 'file' ? flag('--api-key-file', { value: key.path, source: key.source }) : []),
    ...(emulatorData === undefined ? [] : ['--emulator-data', emulatorData]),
  ];
}
