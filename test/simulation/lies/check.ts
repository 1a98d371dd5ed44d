import type { ProgramEnd } from '../machine/machine.ts';
import type { Service } from '../machine/service.ts';
import type { LiesScenario } from './scenario.ts';

/** The programs that ran, and the people who left or came back on their own meanwhile. */
export interface PlayedLies {
  readonly programs: readonly ProgramEnd[];
  readonly left: ReadonlyMap<string, string>;
  readonly back: ReadonlySet<string>;
}

/** Describes every broken promise. */
export function checkLies(scenario: LiesScenario, service: Service, played: PlayedLies): string[] {
  return [
    ...service.watch.broken,
    ...checkSignedUp(scenario, service, played),
    ...checkEnds(scenario, played),
    ...checkOptOuts(scenario, service, played),
  ];
}

/**
 * People who were not subscribed before must not be subscribed at the end, nor be asked to confirm. Pending people may
 * have confirmed on their own, so svc only names them. In both cases svc must name the people.
 */
function checkSignedUp({ plot }: LiesScenario, { emulator }: Service, { programs, left, back }: PlayedLies): string[] {
  const output = programs.map(({ out, err }) => out + err).join('');
  return plot.prior.flatMap(({ email, status: first }) => {
    const before = left.get(email) ?? first ?? 'subscribed';
    const now = emulator.admin.contact(email)?.status ?? '';
    const isSignedUp = now === 'subscribed' || (now === 'pending' && before !== 'pending');
    if (before === 'subscribed' || back.has(email) || !isSignedUp) {
      return [];
    }
    const what = `C1: ${email} was ${before} and is ${now}`;
    return [
      ...(before === 'pending' ? [] : [what]),
      ...(output.includes(email) ? [] : [`${what}, and svc does not name the person`]),
    ];
  });
}

/** svc may stop only if the service signed a person up, or if a person came back on their own. */
function checkEnds({ lie }: LiesScenario, { programs, back }: PlayedLies): string[] {
  const bugs = programs.filter(({ code }) => code === 70).map(({ code, err }) => `exit ${code}: ${err}`);
  const last = programs.at(-1);
  const isGood = last?.code === 0 || last?.code === 3;
  return isGood || lie.signsUp.length + back.size > 0
    ? bugs
    : [...bugs, `D1: stopped without a sign-up: exit ${last?.code}: ${last?.err}`];
}

/** After a good end, each person whom the list opts out is opted out or suppressed. */
function checkOptOuts({ optOuts }: LiesScenario, { emulator }: Service, { programs }: PlayedLies): string[] {
  const { admin } = emulator;
  const suppressed = new Set(admin.suppressions().map(({ email }) => email));
  return programs.at(-1)?.code === 0
    ? [...optOuts]
        .filter((email) => admin.contact(email)?.status === 'subscribed' && !suppressed.has(email))
        .map((email) => `C1: the list opts ${email} out, who is subscribed`)
    : [];
}
