import type { IsIn } from './count-steps.ts';
import type { Pattern } from './parse-pattern.ts';

/** Letters of each kind that a regular expression may name. */
const LETTERS = [...'axz09 \n\t@-_.,;:!?/|()[]<>"\'=#*+&%$\\{}~^éßж日\r\u00a0'];
// A repetition with a lower limit ends soon.
const MANY = 30;
const MOST_UNITS = 60;

/** A text is made of `before` once and `unit` many times. */
export interface HardText {
  readonly before: string;
  readonly unit: string;
}

/**
 * Texts that may make a search with this pattern slow: repeats of what its own repetitions match, also after what
 * stands before them. Empty if the pattern has no repetition without a limit.
 */
export function hardTexts(pattern: Pattern, isIn: IsIn): readonly HardText[] {
  const found = new Map<string, HardText>();
  const add = (before: string, unit: string) => {
    if (unit !== '') {
      found.set(JSON.stringify([before, unit]), { before, unit });
    }
  };
  const visit = (node: Pattern, before: string): void => {
    switch (node.kind) {
      case 'choice':
        node.options.forEach((option) => visit(option, before));
        break;
      case 'sequence':
        node.parts.reduce((text, part) => {
          visit(part, text);
          return text + exampleOf(part, isIn);
        }, before);
        break;
      case 'repeat':
        if (node.max > MANY) {
          for (const unit of unitsOf(node.part, isIn)) {
            add('', unit);
            add(before, unit);
          }
          add('', before);
          add('', before + exampleOf(node.part, isIn));
        }
        visit(node.part, before);
        break;
      case 'look':
        visit(node.part, before);
        break;
    }
  };
  visit(pattern, '');
  const every = Math.ceil(found.size / MOST_UNITS);
  return [...found.values()].filter((_, index) => index % every === 0);
}

function unitsOf(node: Pattern, isIn: IsIn): readonly string[] {
  if (node.kind === 'choice') {
    return node.options.map((option) => exampleOf(option, isIn));
  }
  return node.kind === 'set' ? lettersOf(node.text, isIn) : [exampleOf(node, isIn)];
}

function lettersOf(set: string, isIn: IsIn): readonly string[] {
  return [...new Set([...set, ...LETTERS])].filter((letter) => isIn(set, letter)).slice(0, 12);
}

// The shortest text that the pattern matches, or nearly.
function exampleOf(node: Pattern, isIn: IsIn): string {
  switch (node.kind) {
    case 'set':
      return lettersOf(node.text, isIn)[0] ?? '';
    case 'choice':
      return exampleOf(node.options[0] as Pattern, isIn);
    case 'sequence':
      return node.parts.map((part) => exampleOf(part, isIn)).join('');
    case 'repeat':
      return exampleOf(node.part, isIn).repeat(Math.max(node.min, Math.min(node.max, 1)));
    default:
      return '';
  }
}
