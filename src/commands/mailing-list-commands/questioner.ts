import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Context, Prompter } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { plural, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { ProgressHandle } from '../../render/progress/progress.ts';
import { commandLines } from '../../render/text/wrap.ts';
import type { AnsweredOptions, Question, Questioner } from '../../run-lifecycle/data/questioner.ts';
import type { UndoneAction } from '../../run-lifecycle/stops/questions.ts';
import { typedOptions } from '../framework/globals.ts';
import { askQuestion, questionPrompter } from '../framework/output/prompts.ts';
import type { Settings } from '../framework/settings/settings.ts';
import { type ImportFlags, withImportFlags } from './flags/import-flags.ts';
import { saveMappingIfAsked, withAnswers } from './mapping/mapping-file.ts';
import { checkOutputFiles } from './output-files.ts';

type AnswerFlags = Partial<ImportFlags> & { readonly plan?: 'free' | 'paid' };

/** The inputs of a command, and its options and flags with the answers at the terminal. */
export interface AnswerSource {
  readonly inputs: readonly string[];
  /** The options of the command with these answers. Each answer is a flag. */
  optionsWith(answers: AnswerFlags): Partial<AnsweredOptions>;
  /** The flags, together with the answers of the last call of `optionsWith`. */
  flags(): Partial<ImportFlags>;
}

interface Answerable<Flags> {
  readonly inputs: readonly string[];
  readonly flags: Flags;
  readonly settings: Settings;
  isTyped(flag: string): boolean;
}

/** Makes an AnswerSource. An answer counts like a typed flag, but a value that the user typed wins over it. */
export function createAnswerSource<Flags extends Partial<ImportFlags>>(
  { inputs, flags: typedFlags, settings, isTyped }: Answerable<Flags>,
  optionsOf: (flags: Flags, settings: Settings) => Partial<AnsweredOptions>,
): AnswerSource {
  let flags = typedFlags;
  return {
    inputs,
    optionsWith: ({ plan, ...answers }) => {
      flags = withAnswers(typedFlags, answers, isTyped);
      return optionsOf(flags, plan ? { ...settings, plan: { value: plan, source: 'flag' } } : settings);
    },
    flags: () => flags,
  };
}

/**
 * What a questioner needs. `words` collects the flags of the answers. `command` returns the typed line with the flags
 * in `words`. `lineWith` returns the typed line with the given flags, but without those in `words`.
 */
interface QuestionerOptions {
  readonly context: Context;
  readonly settings: Settings;
  readonly answerSource: AnswerSource | undefined;
  readonly undone: UndoneAction;
  /** The progress display. It pauses during each question. */
  readonly progress: Pick<ProgressHandle, 'pause' | 'resume'>;
  readonly words: string[];
  command(): string;
  lineWith(flags: string): string;
}

interface PromptContext extends AnswerSource, QuestionerOptions {
  readonly prompter: Prompter;
}

/** Makes the questioner of a run. Undefined if svc may not ask: without a terminal, or with --yes, --json or -q. */
export function createQuestioner(questioning: QuestionerOptions): Questioner | undefined {
  const { context, settings, answerSource, progress, words } = questioning;
  const terminal = questionPrompter(context, settings);
  if (!terminal || !answerSource) {
    return undefined;
  }
  const choose: Prompter['choose'] = async (list) => {
    progress.pause();
    const chosen = await terminal.choose(list);
    progress.resume();
    return chosen;
  };
  const asking: PromptContext = { ...questioning, ...answerSource, prompter: { ...terminal, choose } };
  return {
    ask: (questions) => askAll(questions, asking),
    options: () => asking.optionsWith(parseAnswers(words)),
    finish: async () => {
      if (words.length > 0) {
        progress.pause();
        const commandText = commandLines(asking.command(), context.stderr.columns, '  ').join('\n');
        context.stderr.write(`\nThe same without questions:\n${commandText}\n\n`);
        asking.optionsWith(parseAnswers(words));
        await offerToSave({ ...asking, prompter: terminal });
        progress.resume();
      }
    },
  };
}

async function askAll(questions: readonly Question[], asking: PromptContext): Promise<readonly string[]> {
  const { context, prompter, words, inputs, undone } = asking;
  const typedWordCount = words.length;
  const answered = new Set<string>();
  for (const question of questions) {
    const { group } = question;
    if (group === undefined || !answered.has(group)) {
      const textAbove = question === questions[0] ? introText(questions, inputs, undone) : '';
      const choice = await askQuestion(question, { prompter, context, textAbove, undone }).catch((error: unknown) => {
        throw withAnswersSoFar(error, asking);
      });
      choice.flags.forEach((word) => words.push(word));
      if (choice.answersGroup && group !== undefined) {
        answered.add(group);
      }
    }
  }
  return words.slice(typedWordCount);
}

function introText(questions: readonly Question[], inputs: readonly string[], undone: UndoneAction): string {
  const subject = inputs.length === 1 && inputs[0] !== '-' ? `${terminalSafe(inputs[0] ?? '')} needs` : 'This needs';
  return `\nNothing was ${undone} yet. ${subject} ${plural(questions.length, 'answer')}:\n`;
}

const HINT_INDENT = 6;

/** Adds the command line with the answers so far to an error, so that the user need not give them again. */
function withAnswersSoFar(error: unknown, { words, command, context }: PromptContext): unknown {
  if (!(error instanceof SvcError) || words.length === 0) {
    return error;
  }
  const { exit, code, message } = error;
  const { columns } = context.stderr;
  const lines = commandLines(command(), columns === undefined ? undefined : columns - HINT_INDENT);
  return new SvcError(exit, code, message, { hint: ['With the answers so far:', ...lines].join('\n') });
}

function parseAnswers(words: readonly string[]): AnswerFlags {
  const command = withImportFlags(new Command('svc').exitOverride(), 'migrate')
    .addOption(new Option('--plan <plan>'))
    .addOption(new Option('--reason <reason>'));
  command.parse([...words], { from: 'user' });
  return typedOptions(command);
}

/**
 * Offers to save the answers in a file beside the input, for --mapping. Escape means no. --plan is not saved, because
 * it is about the account and not about the list. If --plan is the only answer, svc offers nothing.
 */
async function offerToSave({ context, prompter, inputs, words, lineWith, ...asking }: PromptContext): Promise<void> {
  const flags = asking.flags();
  const name = mappingName(inputs);
  const index = words.indexOf('--plan');
  const beside = index < 0 ? [] : words.slice(index, index + 2);
  if (name === undefined || flags.saveMapping !== undefined || beside.length === words.length) {
    return;
  }
  const saving = { ...flags, saveMapping: name };
  try {
    checkOutputFiles(context, { ...saving, inputs });
  } catch {
    // svc could not write a file of this name, so it does not offer to save the answers.
    return;
  }
  const fileExists = existsSync(resolve(context.cwd, name));
  const labels = [fileExists ? `yes, replace ${name}` : `yes: ${name}`, 'no'].map(terminalSafe);
  const text = 'Save these answers for next time (--mapping)?';
  const chosen = await prompter.choose({ question: text, labels, initial: fileExists ? 1 : 0 });
  if (chosen === 0) {
    await saveMappingIfAsked(context, inputs, saving);
    const line = lineWith(['--mapping', name, ...beside].map(shellWord).join(' '));
    const lines = commandLines(line, context.stderr.columns, '  ').join('\n');
    context.stderr.write(`Saved. Next time, without questions:\n${lines}\n\n`);
  }
}

/** The name of the mapping file: `list.csv` gives `list.mapping.json`. Undefined for standard input. */
function mappingName([input]: readonly string[]): string | undefined {
  return input === undefined || input === '-' || /^\/dev\/(?!shm\/)/.test(input)
    ? undefined
    : `${input.replace(/(?<=[^/.])(\.(csv|tsv|txt|zip))?(\.gz)?$/i, '')}.mapping.json`;
}
