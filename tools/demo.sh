#!/bin/sh
# Shows a bug and the proof of its repair to somebody who sees rmc for the first time.
#
# usage: tools/demo.sh RMC_CHECK. Fails if a verdict is not the one that is expected.
set -eu
rmc_check=$1
queue=examples/spsc_queue.c

line_of() { grep -n -m 1 -F "$1" "$queue" | cut -d : -f 1; }

# Runs a check, shown as a user would type it, and compares its exit code.
check() {
  expected=$1
  shift
  echo "\$ rmc-check $*"
  code=0
  "$rmc_check" --color never --no-progress "$@" || code=$?
  if [ "$code" -ne "$expected" ]; then
    echo "demo: exit code $code where $expected was expected" >&2
    exit 1
  fi
  echo
}

cat <<END
$queue is a lock-free queue. Its consumer goes to sleep when it finds nothing to do, and the producer wakes it:

    producer:  publish the job; if the consumer sleeps, wake it
    consumer:  announce sleep; if there is still no job, sleep

One of them must see the other, so no job is left lying beside a sleeping consumer. Is that so on x86 (tso)?

END
check 1 --relaxed-memory tso "$queue"
cat <<END
How to read it: one line per event; a buffered store is one that other threads cannot see yet.
(queue+8 is queue.head, queue+12 is queue.tail: the variable and an offset in bytes.)

  * Thread 1, the producer, stores queue.tail in line $(line_of 'store_explicit(&q->tail'). The store waits in its store buffer, and so the load of
    \`sleeping\` in line $(line_of 'load_explicit(&sleeping') runs ahead of it: the consumer is still awake, nobody needs to be woken.
  * Thread 2, the consumer, announces sleep (line $(line_of 'exchange(&sleeping, true')) and reads queue.tail = 0 (line $(line_of 'load_explicit(&q->head, memory_order_relaxed) ==')) from memory, where the job
    has not arrived: it goes to sleep. Only then does the store reach memory. The job waits, and nobody rings.

The repair is a full fence between the two lines of the producer (-DFIXED). A test would have to be lucky; here all
executions are explored, with every order of threads and every delay of stores:

END
for model in sc tso pso; do
  check 0 --relaxed-memory $model -DFIXED "$queue"
done
echo "The repaired queue holds under sc, tso and pso: no execution loses a wake-up."
