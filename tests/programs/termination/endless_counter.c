// check: --max-states=5000 sc=unknown tso=unknown pso=unknown
//
// A loop that counts for ever never repeats a state; a limit ends the search.
static volatile unsigned long counter;

int main(void) {
  for (;;)
    counter++;
}
