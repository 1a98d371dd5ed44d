import type { ImportOptions } from './run-options.ts';

/** One answer to choose from. */
export interface Choice {
  readonly label: string;
  readonly detail?: string | undefined;
  /** True for the preselected answer. svc never preselects an answer that subscribes people. */
  readonly isLikely: boolean;
  /** The flags that have the same effect as the answer. Undefined for the answer that ends the command. */
  readonly flags: readonly string[] | undefined;
  /** True if this answer also counts for the other questions of the same `group`. */
  readonly answersGroup?: boolean;
}

/** A question to the user about a stop of the plan. Each answer has the effect of flags. */
export interface Question {
  readonly text: string;
  readonly choices: readonly Choice[];
  /** All questions about the values of one stop share this id. */
  readonly group?: string;
}

/** The options that an answer at the terminal can change. Each answer has the effect of a flag. */
export type AnsweredOptions = Pick<
  ImportOptions,
  'reading' | 'allowAutomations' | 'maxNewFields' | 'maxFailures' | 'plan'
>;

export interface Questioner {
  /** Returns the flags of the answers. Throws if the user cancels the questions. */
  ask(questions: readonly Question[]): Promise<readonly string[]>;
  /** The options with all answers so far. */
  options(): Partial<AnsweredOptions>;
  /** Called once no stop is left. Shows the command that does the same without questions. */
  finish(): Promise<void>;
}

/**
 * Returns the command line that the user typed, with further flags at its end. `flags` is shell text. `without` names
 * typed flags to leave out, together with their values.
 */
export type CommandWithFlags = (flags: string, without?: readonly string[]) => string;
