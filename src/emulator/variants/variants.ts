import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { ACCOUNT_QUIRKS } from './account-variants.ts';
import { MESSAGE_QUIRKS } from './message-variants.ts';
import type { Quirk } from './variant.ts';

/** Every point that the service document leaves open and the emulator can play in more than one way. */
export const QUIRKS = [...ACCOUNT_QUIRKS, ...MESSAGE_QUIRKS] as const satisfies readonly Quirk[];

/** Name of an open point, as given to `--quirk <name=reading>`. */
export type QuirkName = (typeof QUIRKS)[number]['name'];

/** The reading in force for every open point. */
export type Quirks = Readonly<Record<QuirkName, string>>;

/** The readings in force when `chosen` overrides the defaults. Throws SvcError for a name or a reading that isn't in the table. */
export function chooseQuirks(chosen: Readonly<Record<string, string>> = {}): Quirks {
  for (const [name, reading] of Object.entries(chosen)) {
    assertKnown(name, reading);
  }
  const entries = QUIRKS.map((quirk) => [quirk.name, chosen[quirk.name] ?? quirk.readings[0]] as const);
  // Built from QUIRKS itself, so every name is there.
  return Object.fromEntries(entries) as Quirks;
}

function assertKnown(name: string, reading: string): void {
  const quirk: Quirk | undefined = QUIRKS.find((each) => each.name === name);
  if (!quirk) {
    throw new SvcError(EXIT.usage, 'unknown_quirk', `no such quirk: ${name}`, { hint: 'svc emulator quirks' });
  }
  if (!quirk.readings.includes(reading)) {
    const known = quirk.readings.join(', ');
    throw new SvcError(EXIT.usage, 'unknown_quirk', `no such reading of ${name}: ${reading} (known: ${known})`);
  }
}
