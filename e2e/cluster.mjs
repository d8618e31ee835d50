// A made-up cluster's own files: accounting and configuration.
/** The head of what sacct prints. */
export const head = "JobIDRaw|JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS|JobName\n";

/** sacct output of so many jobs, with names that nothing may carry on. */
export function sacct(n = 200) {
  let text = head;
  const time = (s) => new Date((1795420800 + s) * 1000).toISOString().slice(0, 19);
  for (let i = 1; i <= n; i++) {
    const late = i > n / 2 ? 90_000 : 0; // nothing runs for a day
    const submit = i * 60, start = submit + 10 * (i % 7) + late, run = 300 + (i * 7919) % 1000;
    text += `${i}|${i}|zebrauser${i % 5}|zebraaccount|${i % 3 ? "zlong" : "zshort"}|${time(submit)}|${time(submit)}|${time(start)}|${time(start + run)}|${run}|60|COMPLETED|1|${1 + i % 4}|${1 + i % 4}|zebrajob\n`;
  }
  return text + "not|a|row\n";
}

/** Its slurm.conf. */
export const conf = "ClusterName=birch\nSchedulerParameters=bf_interval=30\nNodeName=zebranode[01-16] CPUs=8 RealMemory=64000 Gres=gpu:2\nPartitionName=zlong Nodes=ALL Default=YES MaxTime=1-0\nPartitionName=zshort Nodes=zebranode[01-04] MaxTime=60\n";

/** Drops several files at once. */
export async function dropAll(page, files) {
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) data.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
}
