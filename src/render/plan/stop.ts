import type { Finding } from '../../base/finding.ts';
import { plural, terminalSafe } from '../../base/lib/text.ts';
import type { CommandAnswer, OtherAnswers } from '../../run-lifecycle/stops/commands-for-stops.ts';
import { hintLines } from '../text/error.ts';
import type { Style } from '../text/style.ts';
import { commandLines, wrapText } from '../text/wrap.ts';
import { exampleLines, MAX_SHOWN_FINDINGS } from './findings.ts';

interface RefusedPlan {
  readonly stops: readonly Finding[];
  readonly answers: readonly CommandAnswer[];
  readonly others: OtherAnswers;
}

/** What svc prints if checks stop a run: each problem once, then the whole command with the likeliest flags. */
export function stopText({ stops, answers, others }: RefusedPlan, style: Style): string {
  const areSeveral = stops.length > 1;
  const title = areSeveral ? [`${style.red('svc:')} nothing was sent. ${plural(stops.length, 'problem')}:`] : [];
  const more = stops.length - MAX_SHOWN_FINDINGS;
  const problems = stops.slice(0, MAX_SHOWN_FINDINGS).flatMap((stop, index) => {
    const first = areSeveral ? `  ${index + 1}. ` : 'svc: nothing was sent: ';
    const rest = areSeveral ? '     ' : '  ';
    const [head = '', ...others] = wrapText(terminalSafe(stop.message), style.columns, { first, rest });
    const prose = stop.flags === undefined ? hintLines(stop.hint, style).map((line) => `${rest}${line}`) : [];
    return [
      areSeveral ? head : head.replace('svc:', style.red('svc:')),
      ...others,
      ...exampleLines(stop, style),
      ...prose,
    ];
  });
  const lines = [
    ...title,
    ...problems,
    ...(more > 0 ? [`  and ${plural(more, 'more problem')}, which the JSON report lists`] : []),
    ...answers.flatMap((answer) => answerLines(answer, style)),
    ...otherLines(others, style),
  ];
  return `${lines.join('\n')}\n`;
}

function answerLines({ after, conditions, command }: CommandAnswer, style: Style): string[] {
  const isInline = after === undefined && conditions.length < 2;
  const head = isInline ? (conditions[0] ?? 'To continue') : headOf(after, conditions);
  const bullets = isInline ? [] : conditions.map((condition) => firstUpper(condition.replace(/^Only if /, '')));
  return [
    ...wrapText(`${terminalSafe(head)}:`, style.columns, { first: '  ', rest: '  ' }),
    ...bullets.flatMap((bullet) => wrapText(terminalSafe(bullet), style.columns, { first: '    - ', rest: '      ' })),
    ...commandLines(command, style.columns, '    ').map(style.bold),
  ];
}

function headOf(after: string | undefined, conditions: readonly string[]): string {
  // If answers have conditions, the command is right only if all of them are met.
  const how = conditions.some(isCondition) ? 'only if all of this is right' : 'with the likeliest answers';
  return after === undefined ? firstUpper(how) : `${after}${conditions.length === 0 ? '' : `, ${how}`}`;
}

// True for a text that begins with a condition.
function isCondition(text: string): boolean {
  return /^(?:Only )?if /i.test(text);
}

function otherLines({ areWhole, answers }: OtherAnswers, style: Style): string[] {
  const lines = answers.flatMap(({ conditions: [when = ''], command }) => [
    ...wrapText(`${terminalSafe(when)}:`, style.columns, { first: '    ', rest: '    ' }),
    ...commandLines(command, style.columns, '      ').map(style.bold),
  ]);
  const title = areWhole ? '  Other answers:' : '  Other answers, in place of the flags above:';
  return lines.length === 0 ? [] : [title, ...lines];
}

function firstUpper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
