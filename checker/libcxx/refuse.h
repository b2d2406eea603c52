/* Ends the run with an error that names what is not supported. */
extern "C" [[noreturn]] void __rmc_unsupported(const char *what);
