import type { Finding, OpenValue } from '../../base/finding.ts';
import type { SvcError } from '../../base/lib/errors.ts';
import { flagWords, formatNumber, plural, splitShellText } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Choice, Question } from '../data/questioner.ts';
import { answerDetail, answerLabel, isAnsweredApart, isFlagsOnly } from './commands-for-stops.ts';

/** The word for what a command did not do before its questions were answered, as in "Nothing was sent yet". */
export type UndoneAction = 'sent' | 'compared' | 'read' | 'resumed';

/**
 * The questions whose answers remove these stops. Undefined if one stop has no question, because then the run stops
 * anyway.
 */
export function questionsOf(stops: readonly Finding[]): readonly Question[] | undefined {
  const silent = stops.filter(({ check }) => check === 'no_status').length;
  const questions = stops.map((stop, index) =>
    stop.values ? valueQuestions(stop, stop.values, index) : stopQuestion(stop, silent > 1),
  );
  return questions.includes(undefined) ? undefined : questions.flatMap((asked) => asked ?? []);
}

/** The question for an error that one flag solves, such as an unreadable encoding. Undefined if no flag helps. */
export function questionForError({ message, hint }: SvcError): Question | undefined {
  // If the message of the error names a flag, that flag is wrong. A further flag would not help.
  const flags = isFlagsOnly(hint) && !/--[a-z]/.test(message) ? splitShellText(hint) : undefined;
  const choice: Choice | undefined = flags && { label: answerLabel(flags), isLikely: !needsDecision(flags), flags };
  return choice && { text: message, choices: withStop([choice]) };
}

/** Asks for the audience if the account has several audiences. */
export function audienceQuestion(audiences: readonly Audience[]): Question {
  const choices = audiences.map((audience, index): Choice => {
    const total = audience.contact_counts?.total;
    const counted = total === undefined ? '' : `${plural(total, 'contact')}, `;
    return {
      label: `${audience.name} (${audience.id})`,
      detail: `${counted}made ${audience.created_at.slice(0, 10)}`,
      isLikely: index === 0,
      flags: ['--audience', audience.id],
    };
  });
  return { text: 'Which audience?', choices: [...choices, STOP] };
}

const STOP: Choice = { label: 'stop here', isLikely: false, flags: undefined };

/** Adds the choice to stop. It is preselected if no other choice is preselected. */
function withStop(choices: readonly Choice[]): readonly Choice[] {
  return [...choices, { ...STOP, isLikely: !choices.some(({ isLikely }) => isLikely) }];
}

// The checks of repeated imports. They get no question, because a typed `--gone unsubscribe` would win over the answer
// `--gone report`.
const NO_QUESTIONS = ['gone', 'only_changed', 'many_opt_outs', 'moved_people'];

function stopQuestion(stop: Finding, shouldNameFile: boolean): readonly Question[] | undefined {
  const hint = stop.flags ?? stop.hint;
  const isApart = isAnsweredApart(stop);
  if (!(isFlagsOnly(hint) || isApart) || NO_QUESTIONS.includes(stop.check)) {
    return undefined;
  }
  const likeliest = isApart || hint === undefined ? [] : [{ when: stop.when, flags: hint }];
  const answers = [...likeliest, ...(stop.otherwise ?? [])];
  const file = shouldNameFile
    ? inputOf(
        answers.flatMap(({ flags }) => splitShellText(flags)),
        stop,
      )
    : undefined;
  const choices = answers.map(({ when, flags }, index): Choice => {
    const words = splitShellText(flags);
    return {
      label: answerLabel(words),
      detail: answerDetail(words, when),
      isLikely: index === 0 && !needsDecision(words),
      flags: file === undefined ? words : limitedToFile(words, file),
    };
  });
  return [
    {
      // The message of this stop only states a fact, for example "the list has no status column". So a question is
      // added.
      text: stop.check === 'no_status' ? `${stop.message}. What are these people?` : stop.message,
      choices: withStop([...choices, ...leaveOutChoices(stop, file, choices)]),
    },
  ];
}

/**
 * Further answers for rows without a status: write the people as unsubscribed, or skip them. Leaves out answers that
 * are already offered.
 */
function leaveOutChoices(
  { check, otherwise = [] }: Finding,
  file: string | undefined,
  offered: readonly Choice[],
): readonly Choice[] {
  if (check !== 'no_status' || otherwise.some(({ flags }) => flags.startsWith('--reason'))) {
    return [];
  }
  return ['unsubscribed', 'skip']
    .map((state) => ['--default-status', state])
    .filter((flags) => !offered.some((choice) => choice.label === answerLabel(flags)))
    .map((flags) => ({
      label: answerLabel(flags),
      isLikely: false,
      flags: file === undefined ? flags : limitedToFile(flags, file),
    }));
}

// The input that a stop is about, as its answers name it. The file name alone is not enough, because two folders can
// have files of one name.
function inputOf(words: readonly string[], { examples }: Finding): string | undefined {
  const answer = words.find((word, index) => words[index - 1] === '--default-status' && word.includes('='));
  return answer?.slice(0, answer.lastIndexOf('=')) ?? examples?.[0]?.file;
}

/** Limits a --default-status to one file: `--default-status skip` becomes `--default-status list.csv=skip`. */
function limitedToFile(words: readonly string[], file: string): string[] {
  return words.map((word, index) =>
    words[index - 1] === '--default-status' && !word.includes('=') ? `${file}=${word}` : word,
  );
}

/**
 * True for answers that svc never preselects: they subscribe people, suppress a whole list, start automations, drop
 * rows or lift a limit (C4, M3).
 */
function needsDecision(words: readonly string[]): boolean {
  return words.some((word) => DECISIONS.includes(word) || /(^|=)subscribed$/.test(word));
}

const DECISIONS =
  '--reason --allow-automation --max-failures --max-new-fields --allow-joined-files --allow-heading --allow-legend --allow-blanks --plan --full'.split(
    ' ',
  );

const MEANINGS: readonly (readonly [state: string, label: string])[] = [
  ['subscribed', 'subscribed: they agreed to get mail from you'],
  ['unsubscribed', 'unsubscribed: they left'],
  ['skip', 'leave these people out (the audience keeps their status)'],
  ['bounced', 'suppressed: mail to them bounced'],
  ['complained', 'suppressed: they complained'],
  ['suppressed', 'suppressed: never mail them'],
];

const KEEPING_MAIL_AWAY = MEANINGS.map(([state]) => state).filter((state) => state !== 'subscribed');

/** One question for each value of a column. The answer `subscribed` is never preselected: the user must choose it. */
function valueQuestions(stop: Finding, values: readonly OpenValue[], index: number): readonly Question[] {
  const group = `${stop.check}:${index}`;
  return values.map(({ column, value, answer, rows, likely, ignore }): Question => {
    const shown = value === '' ? 'an empty cell' : JSON.stringify(value);
    const where = column === undefined ? '' : ` in column ${JSON.stringify(column)}`;
    const selected = KEEPING_MAIL_AWAY.includes(likely) ? likely : 'skip';
    const first = likely === 'subscribed' ? likely : selected;
    const ordered = MEANINGS.toSorted(([one], [other]) => Number(other === first) - Number(one === first));
    const choices = ordered.map(
      ([state, label]): Choice => ({ label, isLikely: state === selected, flags: statusWords(answer, state) }),
    );
    const leaveOutChoice: readonly Choice[] =
      ignore === undefined
        ? []
        : [
            {
              label: `the column ${JSON.stringify(column)} is not about mail`,
              isLikely: false,
              flags: flagWords('--map', ignore),
              answersGroup: true,
            },
          ];
    return {
      group,
      text: `What does ${shown}${where} mean? ${formatNumber(rows)} ${rows === 1 ? 'row has' : 'rows have'} it.`,
      choices: withStop([...choices, ...leaveOutChoice]),
    };
  });
}

function statusWords(answer: string, state: string): readonly string[] {
  return flagWords('--status-map', `${answer}=${state}`);
}
