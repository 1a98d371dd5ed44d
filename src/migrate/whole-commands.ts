import type { Finding } from '../import/survey-types.ts';

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

/** What to type to answer every stop at once; where a stop has no flag, what it says stands beside. */
export function answerToAll(stops: readonly Finding[], retype: Retype | undefined): string | undefined {
  if (retype === undefined || stops.length < 2) {
    return stops[0]?.hint;
  }
  const flags = [...new Set(stops.flatMap((stop) => stop.flags ?? []))];
  const conditions = new Set(
    stops.flatMap(({ flags: own, when }) => (own !== undefined && when !== undefined ? [`${when}:`] : [])),
  );
  const prose = stops.flatMap(({ flags: own, hint }) => (own === undefined && hint !== undefined ? [hint] : []));
  const lines = [...prose, ...conditions, ...(flags.length > 0 ? [retype(flags.join(' '))] : [])];
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** True for a hint of flags with real values; prose around them, or a place to fill in, is left as it is. */
export function isFlags(hint: string | undefined): hint is string {
  return hint !== undefined && /^--[a-z]/.test(hint) && !/, (?:or|and|to) |=<|<column>/.test(hint);
}
