import { onTestFinished } from 'vitest';

/** Counts the worker threads that this process starts from now on. */
export function countedThreads(): () => number {
  let threads = 0;
  const countThread = () => {
    threads++;
  };
  process.on('worker', countThread);
  onTestFinished(() => {
    process.off('worker', countThread);
  });
  return () => threads;
}
