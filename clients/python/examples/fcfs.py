"""FCFS: jobs start in order of submission, and the first that does not fit stops all others."""

from batchlab import Scheduler


class FCFS(Scheduler):
    def decide(self, s):
        s.start_all(s.queue, stop=True)


if __name__ == "__main__":
    FCFS().main()
