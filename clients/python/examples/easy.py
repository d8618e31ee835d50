"""EASY backfilling in 30 lines, on every platform that Batchlab knows.

Run: batchlab simulate --log LOG.swf.gz --algorithm exec --command "python3 easy.py"
"""

from batchlab import Scheduler


class EASY(Scheduler):
    def decide(self, s):
        # Jobs start in order of submission while they fit.
        s.start_all(s.queue, stop=True)
        if len(s.queue) < 2:
            return
        # The first that does not is the head. It keeps the place of its earliest
        # start, by the requests of the jobs that run.
        head, others = s.queue[0], s.queue[1:]
        others = [job for job in others if job.procs <= s.free]
        if not others:
            return
        s.reserve(head)
        # Whoever fits beside that may pass it.
        s.start_all(others)


if __name__ == "__main__":
    EASY().main()
