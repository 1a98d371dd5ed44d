import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { withoutPositions } from '../../base/lib/bit-set.ts';
import { problemOf } from '../../base/os/worker-threads.ts';
import { type BatchThreadMessage, type BatchThreadTask, MAX_READY_BATCHES } from './batch-thread.ts';
import { contactTexts } from './contact-text.ts';
import { cutTextBatches, type ListBatch } from './cut-batches.ts';
import { reopenList } from './reread-list.ts';

/** The code of the thread that `startBatchThread` starts. It reads a list and posts its batches. */
if (parentPort) {
  await readList(parentPort, workerData as BatchThreadTask);
}

async function readList(port: MessagePort, task: BatchThreadTask): Promise<void> {
  const post = (message: BatchThreadMessage, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  try {
    const list = await reopenList(task);
    const signal = new AbortController().signal;
    let ready = MAX_READY_BATCHES;
    port.on('message', () => {
      ready += 1;
    });
    const texts = withoutPositions(contactTexts(list, { signal }), task.unchanged);
    for await (const batch of cutTextBatches(texts, { size: task.size })) {
      while (ready === 0) {
        await once(port, 'message');
      }
      ready -= 1;
      postBatch(post, batch);
    }
    list.close();
    post({ kind: 'end' });
  } catch (error) {
    post(problemOf(error));
  }
}

function postBatch(
  post: (message: BatchThreadMessage, moved: ArrayBuffer[]) => void,
  { index, rowNumbers, body }: ListBatch,
): void {
  const bytes = body as Buffer<ArrayBuffer>;
  post({ kind: 'batch', index, rowNumbers, body: bytes }, [rowNumbers.buffer, bytes.buffer]);
}
