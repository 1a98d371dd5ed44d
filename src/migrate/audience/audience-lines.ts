import { formatNumber, looseNameKey, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';

interface AudienceNames {
  /** The text above a flag that has only the id of an audience. Default: the name of the audience. */
  readonly describe?: (audience: Audience) => string;
  /** The name that the user asked for. */
  readonly asked?: string;
}

/**
 * The flags that choose the audiences, one a line. A flag has the name if the name is plain and no other name looks
 * like it. Otherwise the flag has the id, below a line that describes the audience. A description is never on the same
 * line as a flag, because zsh would run `$(…)` in it.
 */
export function audienceLines(
  all: readonly Audience[],
  { describe = ({ name }) => JSON.stringify(name), asked = '' }: AudienceNames = {},
): string {
  const names = [asked, ...all.map(({ name }) => name)].map(looseNameKey);
  const isClear = ({ name }: Audience) =>
    PLAIN_NAME.test(name) && names.filter((other) => other === looseNameKey(name)).length === 1;
  const lines = all
    .slice(0, MAX_OFFERED)
    .map((audience) =>
      isClear(audience)
        ? `--audience ${shellWord(audience.name)}`
        : `For ${terminalSafe(describe(audience))}:\n--audience ${shellWord(audience.id)}`,
    );
  const left = all.length - MAX_OFFERED;
  return [...lines, ...(left > 0 ? [`For ${formatNumber(left)} more, see: svc audiences ls --all`] : [])].join('\n');
}

// A hint offers at most this many audiences, so that the first ones stay on the screen.
const MAX_OFFERED = 8;

// Matches a name that can't be mistaken for an id or a flag.
const PLAIN_NAME = /^(?!aud_)[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;
