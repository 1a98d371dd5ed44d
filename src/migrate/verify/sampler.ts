import { evenlySpread } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';

/** Chooses people of the list to read back at the end of the run, evenly spread over the list. */
export interface Sampler {
  collect(listBatch: ListBatch): void;
  /** The people to read back at the end of the run, chosen so far. */
  readonly items: readonly ContactItem[];
}

// The maximum number of opt-outs in a sample. They are sampled apart, because a list has few and an even sample would
// miss them.
const MAX_OPT_OUTS = 20;

/**
 * Makes a sampler that chooses `size` of the `total` people of the list, and at most 20 of the `optOuts` people who opt
 * out. It uses no random numbers, so a resume reads the same people.
 */
export function createSampler(total: number, size: number, optOuts = 0): Sampler {
  const items = new Set<ContactItem>();
  const collectOptOuts = createOptOutSampler(Math.min(size, MAX_OPT_OUTS), optOuts);
  const stride = Math.max(1, total / Math.max(1, size));
  let seen = 0;
  let sampled = 0;
  return {
    get items() {
      return [...items];
    },
    collect: (listBatch) => {
      const sampledBefore = sampled;
      for (let index = 0; index < listBatch.rows.length; index += 1, seen += 1) {
        if (sampled < size && seen >= Math.floor(sampled * stride)) {
          items.add(listBatch.items[index] as ContactItem);
          sampled += 1;
        }
      }
      const position = { share: seen / Math.max(1, total), isBatchParsed: sampled > sampledBefore };
      collectOptOuts(listBatch, position).forEach((item) => items.add(item));
    },
  };
}

interface Position {
  /** How much of the list was read up to this batch, from 0 to 1. */
  readonly share: number;
  /** True if the items of this batch are parsed already. */
  readonly isBatchParsed: boolean;
}

/**
 * Samples people who opt out: all of them if there are at most `maxOptOuts`. Otherwise the number of people to sample
 * grows from half of `maxOptOuts` to `maxOptOuts` while the list is read. A batch is parsed for the sample only if
 * fewer than half of these people are found yet, because parsing takes time.
 */
function createOptOutSampler(maxOptOuts: number, optOuts: number) {
  const areFew = optOuts <= maxOptOuts;
  let chosenCount = 0;
  return (listBatch: ListBatch, { share, isBatchParsed }: Position): readonly ContactItem[] => {
    const wanted = (areFew ? optOuts : Math.ceil((maxOptOuts * (1 + share)) / 2)) - chosenCount;
    const isWanted = wanted > 0 && (areFew || isBatchParsed || wanted > chosenCount);
    const chosen = isWanted && listBatch.body.includes(OPT_OUT) ? optOutsOf(listBatch, wanted) : [];
    chosenCount += chosen.length;
    return chosen;
  };
}

const OPT_OUT = Buffer.from('"unsubscribed"');

/** Up to `maxPeople` people who opt out, spread over a batch. */
function optOutsOf({ items }: ListBatch, maxPeople: number): ContactItem[] {
  return evenlySpread(
    items.filter(({ contact }) => contact.status === 'unsubscribed'),
    maxPeople,
  );
}
