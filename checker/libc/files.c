/*
 * The file system: files by name, opened and closed (C11, 7.21.4 and 7.21.5, and POSIX). It is in memory, and
 * empty when the program starts. What is done with open files is in streams.c.
 *
 * Only what the program writes is there to be read. Names are those of the working directory, and of /tmp;
 * others are refused by name, as nobody knows what is there. What is written reaches the file at once, which
 * C allows and a program can only notice that has a file open twice; that is refused, too, if one of the two
 * writes.
 *
 * One lock is for the list of files; each stream has one of its own.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void __rmc_unsupported(const char *what);
/* Modelled: a violation, the program does what C or POSIX leave undefined. */
_Noreturn void __rmc_misuse(const char *what);

enum __rmc_access { NOTHING, READ, WRITTEN };

struct __rmc_file {
  struct __rmc_file *next;
  /* Null if it is removed. */
  char *name;
  char *data;
  size_t size, room;
  unsigned streams;
  /* Whether a stream may write to it. */
  bool written;
};

struct __rmc_stream {
  FILE head;
  pthread_mutex_t lock;
  struct __rmc_file *file;
  size_t at;
  bool reads, writes, appends, failed, ended;
  enum __rmc_access last;
  /* The byte that was pushed back, or EOF. */
  int back;
};

static pthread_mutex_t __rmc_files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct __rmc_file *__rmc_files;
static unsigned __rmc_temporary;

/* Whether the checker has the stream. */
static bool support_is_standard(const FILE *stream) {
  return stream == stdin || stream == stdout || stream == stderr;
}

static struct __rmc_stream *support_stream(FILE *stream) {
  if (support_is_standard(stream))
    __rmc_unsupported("this operation on a standard stream");
  return (struct __rmc_stream *)stream;
}

static struct __rmc_stream *support_hold(FILE *stream) {
  struct __rmc_stream *held = support_stream(stream);
  pthread_mutex_lock(&held->lock);
  return held;
}

static void support_release(struct __rmc_stream *held) {
  pthread_mutex_unlock(&held->lock);
}

/* Names. */

static void support_check_name(const char *name) {
  const char *last = strncmp(name, "/tmp/", 5) ? name : name + 5;
  if (strchr(last, '/') || !strcmp(last, ".") || !strcmp(last, ".."))
    __rmc_unsupported("a file in another directory than the working directory and /tmp");
}

/* Where the list refers to the file of this name, or would. */
static struct __rmc_file **support_find(const char *name) {
  struct __rmc_file **place = &__rmc_files;
  while (*place && strcmp((*place)->name, name))
    place = &(*place)->next;
  return place;
}

static void support_drop(struct __rmc_file *file) {
  free(file->data);
  free(file);
}

/* Takes the name from a file, which lives on while it is open. */
static void support_unlink(struct __rmc_file **place) {
  struct __rmc_file *file = *place;
  *place = file->next;
  free(file->name);
  file->name = NULL;
  if (file->streams == 0)
    support_drop(file);
}

static struct __rmc_file *support_new_file(const char *name) {
  struct __rmc_file *file = calloc(1, sizeof *file);
  if (!file || !name)
    return file;
  file->name = malloc(strlen(name) + 1);
  if (!file->name) {
    free(file);
    return NULL;
  }
  strcpy(file->name, name);
  struct __rmc_file **end = &__rmc_files;
  while (*end)
    end = &(*end)->next;
  return *end = file;
}

/* Opening and closing. */

static struct __rmc_stream *support_open_file(const struct __rmc_stream *how, struct __rmc_file *file) {
  if (file->streams > 0 && (file->written || how->writes))
    __rmc_unsupported("a file that is open twice, and written");
  struct __rmc_stream *stream = malloc(sizeof *stream);
  if (!stream)
    return NULL;
  *stream = *how;
  stream->file = file;
  file->streams++;
  file->written |= how->writes;
  return stream;
}

static FILE *support_open(const char *name, struct __rmc_stream *how, bool creates, bool empties, bool only_new) {
  struct __rmc_file *file = name ? *support_find(name) : NULL;
  if (file ? only_new : !creates) {
    errno = file ? EEXIST : ENOENT;
    return NULL;
  }
  bool is_new = !file;
  if (is_new)
    file = support_new_file(name);
  struct __rmc_stream *stream = file ? support_open_file(how, file) : NULL;
  if (stream && empties)
    file->size = 0;
  if (!stream && file && is_new && !name)
    support_drop(file);
  return (FILE *)stream;
}

FILE *fopen(const char *restrict name, const char *restrict mode) {
  struct __rmc_stream how = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .back = EOF};
  char first = *mode;
  bool updates = false, only_new = false;
  if (first != 'r' && first != 'w' && first != 'a') {
    errno = EINVAL;
    return NULL;
  }
  for (mode++; *mode; mode++) {
    updates |= *mode == '+';
    only_new |= *mode == 'x';
    if (!strchr("+bxe", *mode))
      __rmc_unsupported("this mode of `fopen`");
  }
  how.reads = first == 'r' || updates;
  how.writes = first != 'r' || updates;
  how.appends = first == 'a';
  if (!*name) {
    errno = ENOENT;
    return NULL;
  }
  support_check_name(name);
  pthread_mutex_lock(&__rmc_files_lock);
  FILE *stream = support_open(name, &how, first != 'r', first == 'w', only_new && first != 'r');
  pthread_mutex_unlock(&__rmc_files_lock);
  return stream;
}

FILE *tmpfile(void) {
  struct __rmc_stream how = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .back = EOF, .reads = true, .writes = true};
  pthread_mutex_lock(&__rmc_files_lock);
  FILE *stream = support_open(NULL, &how, true, true, false);
  pthread_mutex_unlock(&__rmc_files_lock);
  return stream;
}

int fclose(FILE *stream) {
  struct __rmc_stream *held = support_hold(stream);
  pthread_mutex_lock(&__rmc_files_lock);
  struct __rmc_file *file = held->file;
  file->streams--;
  file->written &= !held->writes;
  if (file->streams == 0 && !file->name)
    support_drop(file);
  pthread_mutex_unlock(&__rmc_files_lock);
  support_release(held);
  free(held);
  return 0;
}

int remove(const char *name) {
  support_check_name(name);
  pthread_mutex_lock(&__rmc_files_lock);
  struct __rmc_file **place = support_find(name);
  bool found = *place;
  if (found)
    support_unlink(place);
  else
    errno = ENOENT;
  pthread_mutex_unlock(&__rmc_files_lock);
  return found ? 0 : -1;
}

int unlink(const char *name) {
  return remove(name);
}

int rename(const char *old, const char *new) {
  support_check_name(old);
  support_check_name(new);
  pthread_mutex_lock(&__rmc_files_lock);
  struct __rmc_file *file = *support_find(old), **target = support_find(new);
  int result = -1;
  char *name = file ? malloc(strlen(new) + 1) : NULL;
  if (!file) {
    errno = ENOENT;
  } else if (name) {
    result = 0;
    strcpy(name, new);
    if (*target && *target != file)
      support_unlink(target);
    free(file->name);
    file->name = name;
  }
  pthread_mutex_unlock(&__rmc_files_lock);
  return result;
}

static char __rmc_temporary_name[L_tmpnam];

char *tmpnam(char *place) {
  char *name = place ? place : __rmc_temporary_name;
  pthread_mutex_lock(&__rmc_files_lock);
  do
    snprintf(name, L_tmpnam, "/tmp/file%06u", __rmc_temporary++);
  while (*support_find(name));
  pthread_mutex_unlock(&__rmc_files_lock);
  return name;
}

/* The names of the same functions for large files. */

FILE *fopen64(const char *restrict name, const char *restrict mode) {
  return fopen(name, mode);
}

FILE *tmpfile64(void) {
  return tmpfile();
}
