import type { Finding } from '../../import/survey/survey-types.ts';

/** Makes the whole command out of flags (shell text): the line as typed, and the flags behind it. */
export type Retype = (flags: string) => string;

/**
 * Findings whose stops say the whole command to type next (rule C11): the likeliest answer first, then the others with when
 * they are right. Without a line to repeat, as in a resume, the flags stay by themselves.
 */
export function withWholeCommands(findings: readonly Finding[], retype: Retype | undefined): Finding[] {
  return findings.map((finding) => {
    const { hint, when, otherwise = [] } = finding;
    if (retype === undefined || finding.level !== 'stop' || !isFlags(hint)) {
      return finding;
    }
    const first = [...(when === undefined ? [] : [`${when}:`]), retype(hint)];
    const others = otherwise.flatMap((answer) => [`${answer.when}:`, retype(answer.flags)]);
    return { ...finding, flags: hint, hint: [...first, ...others].join('\n') };
  });
}

/**
 * What to type to answer every stop at once; where a stop has no flag, what it says stands beside. The answer that starts a
 * flow mails everybody imported, so it stands in a command of its own, after its condition (M3, C11).
 */
export function answerToAll(stops: readonly Finding[], retype: Retype | undefined): string | undefined {
  if (retype === undefined || stops.length < 2) {
    return stops[0]?.hint;
  }
  const prose = stops.flatMap(({ flags, hint }) => (flags === undefined && hint !== undefined ? [hint] : []));
  const answered = stops.filter(({ flags }) => flags !== undefined);
  const harmless = answered.filter((stop) => !startsFlows(stop));
  const commands = harmless.length === answered.length ? [harmless] : [harmless, answered];
  const lines = commands.flatMap((part) => (part.length > 0 ? commandFor(part, retype) : []));
  return prose.length + lines.length > 0 ? [...prose, ...lines].join('\n') : undefined;
}

function startsFlows({ check }: Finding): boolean {
  return check === 'automations';
}

function commandFor(stops: readonly Finding[], retype: Retype): string[] {
  const conditions = new Set(stops.flatMap(({ when }) => (when === undefined ? [] : [`${when}:`])));
  const flags = new Set(stops.flatMap((stop) => stop.flags ?? []));
  return [...conditions, retype([...flags].join(' '))];
}

/** True for a hint of flags with real values; prose around them, or a place to fill in, is left as it is. */
export function isFlags(hint: string | undefined): hint is string {
  return hint !== undefined && /^--[a-z]/.test(hint) && !/, (?:or|and|to) |=<|<column>/.test(hint);
}
