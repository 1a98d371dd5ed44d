import type { StatusReading } from '../../../platforms/lib/states.ts';
import { readHeader } from '../headers/read-header.ts';
import { AGREEING, type ConsentVoice, type Statement, type VoiceParts, voicesOf } from './consent-voices.ts';

/** The columns of a row that contradict each other. */
export interface Contradiction {
  /** The index of the column by which the person gets mail. */
  readonly stays: number;
  /** The indexes of the columns by which the person gets no mail. */
  readonly leaves: readonly number[];
  /** True if each column by which the person left is about one list. Only the user knows what that means. */
  readonly isAsked: boolean;
}

/** What each column of a table, taken alone, says about a row. */
export interface ConsentVoices {
  /**
   * Columns of a row that contradict each other (C10). Call it only for rows that keep mail away. In such a row the
   * stricter column counts, and the user must know about the other one.
   */
  contradictionIn(cells: readonly string[]): Contradiction | undefined;
  /** The index of a column by which the row says subscribed. Undefined if there is none. */
  subscribedBy(cells: readonly string[]): number | undefined;
}

export const NO_VOICES: ConsentVoices = { contradictionIn: () => undefined, subscribedBy: () => undefined };

export function createConsentVoices(parts: VoiceParts): ConsentVoices {
  let made: readonly ConsentVoice[] | undefined;
  // Made when they are first needed, because the platform's rule runs for each of its columns.
  const voices = () => {
    made ??= voicesOf(parts);
    return made;
  };
  const statementOf = (voice: ConsentVoice, cell: string): Statement | undefined =>
    answered(voice.says(cell), parts.answerFor(voice.index, cell));
  const listen = (cells: readonly string[]): readonly Spoken[] =>
    voices().flatMap((voice) => {
      const statement = statementOf(voice, cells[voice.index] ?? '');
      return statement === undefined ? [] : [{ voice, statement }];
    });
  // Most rows end here, because they have one opt-out and nothing else. Reading names and notes once more would be
  // slow.
  const mayStay = (cells: readonly string[]): boolean =>
    voices().some((voice) => {
      const cell = cells[voice.index] ?? '';
      return voice.refusesOnly
        ? parts.answerFor(voice.index, cell)?.state === 'subscribed'
        : STRENGTH.includes(statementOf(voice, cell) ?? 'left');
    });
  return {
    contradictionIn(cells) {
      if (!mayStay(cells)) {
        return undefined;
      }
      const spoken = listen(cells);
      const leaves = spoken.filter(({ statement }) => statement === 'left' || statement === 'pending');
      const isNamed = leaves.some(({ voice }) => readHeader(parts.header[voice.index] ?? '') !== undefined);
      const against = spoken.filter((one) => !(one.voice.isSilent && isNamed) && contradicts(one, leaves));
      // A person who left `Offers` by one column and not by another has left that list. The stricter column counts.
      const ofOthers = against.filter((one) => !leaves.some((left) => areOfOneList(left, one)));
      const mayAsk = leaves.every(({ voice }) => voice.ofList !== undefined && !voice.isOfPlatform);
      const isAsked = mayAsk && ofOthers.length > 0;
      const stays = leaves.length === 0 ? undefined : strongest(isAsked ? ofOthers : against);
      return stays && { stays: stays.voice.index, leaves: leaves.map(({ voice }) => voice.index), isAsked };
    },
    subscribedBy: (cells) =>
      strongest(listen(cells).filter(({ voice, statement }) => !voice.isSilent && AGREEING.has(statement)))?.voice
        .index,
  };
}

interface Spoken {
  readonly voice: ConsentVoice;
  readonly statement: Statement;
}

const STRENGTH: readonly Statement[] = ['word', 'yes', 'no', 'confirmed', 'blank'];

function areOfOneList({ voice }: Spoken, { voice: other }: Spoken): boolean {
  return voice.ofList !== undefined && voice.ofList === other.ofList;
}

function strongest(spoken: readonly Spoken[]): Spoken | undefined {
  const order = ({ statement }: Spoken) => STRENGTH.indexOf(statement);
  return spoken.toSorted((one, other) => order(one) - order(other))[0];
}

// An opt-out from everything covers each list. Beside it, a no or a blank in the column of one list contradicts
// nothing. A blank proves little, so it counts only beside the column of a list.
function contradicts({ voice, statement }: Spoken, leaves: readonly Spoken[]): boolean {
  if (leaves.some((one) => one.voice.index === voice.index)) {
    return false;
  }
  const leftLists = leaves.every((one) => one.voice.ofList !== undefined);
  const neverConfirmed = leaves.every((one) => one.statement === 'pending');
  switch (statement) {
    case 'word':
      return true;
    case 'yes':
      return !neverConfirmed;
    case 'confirmed':
      return neverConfirmed;
    case 'no':
      return !neverConfirmed && (leftLists || voice.ofList === undefined);
    case 'blank':
      return !neverConfirmed && leftLists;
    default:
      return false;
  }
}

// What a cell says with the answer of the user. An opt-out for which the user gave an answer is not reported again.
function answered(statement: Statement | undefined, answer: StatusReading | undefined): Statement | undefined {
  return answer === undefined ? statement : answer.state === 'subscribed' ? 'word' : undefined;
}
