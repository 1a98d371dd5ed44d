import type { Drafted } from './draft.ts';
import type { ImportOptions } from './options.ts';
import type { Outside } from './outside.ts';

const STATES = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'complained', 'suppressed', 'skip'];

/**
 * Asks a person at a terminal what the people of a list are, where nothing in it says so and nothing else stops. Returns
 * the options with the answer; undefined where nobody can be asked or the answer is no state.
 */
export async function askStatus(
  options: ImportOptions,
  drafted: Drafted,
  outside: Outside,
): Promise<ImportOptions | undefined> {
  const stops = drafted.findings.filter((finding) => finding.level === 'stop');
  if (stops.length !== 1 || stops[0]?.check !== 'no_status' || !outside.ask) {
    return undefined;
  }
  const question = `${stops[0].message}\nWhat are these people? [${STATES.join('/')}; Enter stops] `;
  const state = (await outside.ask(question)).trim().toLowerCase();
  if (!STATES.includes(state)) {
    return undefined;
  }
  return {
    ...options,
    reading: { ...options.reading, defaultStatus: { ...options.reading.defaultStatus, '*': state } },
  };
}
