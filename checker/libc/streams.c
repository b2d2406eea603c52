/*
 * Streams (C11, 7.21.5 to 7.21.10, and POSIX): bytes, lines, blocks and formats, positions and ends.
 *
 * Each call holds the lock of its stream (POSIX, flockfile). Nothing is buffered, so setvbuf changes nothing.
 * Reading after writing, and the other way round, without moving in between, is undefined in C (7.21.5.3, 7)
 * and a violation. One byte can be pushed back, as C promises.
 *
 * The standard streams are the checker's. What works on all streams is here for programs that open files, and
 * else a model (src/cli/support.rs).
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes. */

/* Whether a stream may be written to now, or read. */
static bool support_may(struct __rmc_stream *stream, enum __rmc_access access) {
  if (access == READ ? !stream->reads : !stream->writes) {
    errno = EBADF;
    stream->failed = true;
    return false;
  }
  if (access == READ && stream->last == WRITTEN)
    __rmc_misuse("a file is read after it was written, without a call of `fflush` or `fseek` in between");
  if (access == WRITTEN && stream->last == READ && !stream->ended)
    __rmc_misuse("a file is written after it was read, without a call of `fseek` in between");
  stream->last = access;
  return true;
}

static bool support_grow(struct __rmc_file *file, size_t size) {
  if (size > file->room) {
    size_t room = file->room < 32 ? 64 : 2 * file->room;
    room = room < size ? size : room;
    char *data = realloc(file->data, room);
    if (!data)
      return false;
    file->data = data;
    file->room = room;
  }
  return true;
}

static bool support_write(struct __rmc_stream *stream, const void *bytes, size_t size) {
  struct __rmc_file *file = stream->file;
  if (!support_may(stream, WRITTEN))
    return false;
  if (stream->appends)
    stream->at = file->size;
  size_t end = stream->at + size;
  if (end > file->size) {
    if (!support_grow(file, end)) {
      stream->failed = true;
      return false;
    }
    /* Behind the end a file may have been left unwritten. */
    if (stream->at > file->size)
      memset(file->data + file->size, 0, stream->at - file->size);
    file->size = end;
  }
  memcpy(file->data + stream->at, bytes, size);
  stream->at = end;
  stream->back = EOF;
  return true;
}

static int support_read(struct __rmc_stream *stream) {
  if (!support_may(stream, READ) || (stream->ended && stream->back == EOF))
    return EOF;
  if (stream->back != EOF) {
    int byte = stream->back;
    stream->back = EOF;
    stream->at++;
    return byte;
  }
  if (stream->at >= stream->file->size) {
    stream->ended = true;
    return EOF;
  }
  return (unsigned char)stream->file->data[stream->at++];
}

/* Writing, one definition for both kinds of streams and for both names of a function. */

int __rmc_fputs(const char *text, FILE *stream);
int __rmc_fputc(int byte, FILE *stream);
size_t __rmc_fwrite(const void *bytes, size_t size, size_t count, FILE *stream);
int __rmc_vfprintf(FILE *stream, const char *format, va_list list);

int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
  if (support_is_standard(stream))
    return __rmc_fputs(text, stream);
  return support_write(support_stream(stream), text, strlen(text)) ? 1 : EOF;
}

int fputc_unlocked(int byte, FILE *stream) {
  char one = (char)byte;
  if (support_is_standard(stream))
    return __rmc_fputc(byte, stream);
  return support_write(support_stream(stream), &one, 1) ? (unsigned char)one : EOF;
}

size_t fwrite_unlocked(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
  if (support_is_standard(stream))
    return __rmc_fwrite(bytes, size, count, stream);
  if (size == 0 || count == 0)
    return 0;
  return support_write(support_stream(stream), bytes, size * count) ? count : 0;
}

/* The same with the lock held, which a standard stream needs none for. */
#define LOCKED(type, name, unlocked, parameters, arguments)                                                           \
  type name parameters {                                                                                              \
    if (support_is_standard(stream))                                                                                  \
      return unlocked arguments;                                                                                      \
    struct __rmc_stream *held = support_hold(stream);                                                                 \
    type result = unlocked arguments;                                                                                 \
    support_release(held);                                                                                            \
    return result;                                                                                                    \
  }

#undef putc
#undef putc_unlocked
#undef getc
#undef getc_unlocked
#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked

int putc_unlocked(int byte, FILE *stream) {
  return fputc_unlocked(byte, stream);
}

LOCKED(int, fputs, fputs_unlocked, (const char *restrict text, FILE *restrict stream), (text, stream))
LOCKED(int, fputc, fputc_unlocked, (int byte, FILE *stream), (byte, stream))
LOCKED(int, putc, fputc_unlocked, (int byte, FILE *stream), (byte, stream))
LOCKED(size_t, fwrite, fwrite_unlocked,
       (const void *restrict bytes, size_t size, size_t count, FILE *restrict stream), (bytes, size, count, stream))

int vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
  if (support_is_standard(stream))
    return __rmc_vfprintf(stream, format, list);
  char *text;
  int length = vasprintf(&text, format, list);
  struct __rmc_stream *held = support_hold(stream);
  if (length < 0)
    held->failed = true;
  else if (!support_write(held, text, (size_t)length))
    length = -1;
  support_release(held);
  free(text);
  return length;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int length = vfprintf(stream, format, list);
  va_end(list);
  return length;
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list list) {
  (void)flag;
  return vfprintf(stream, format, list);
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int length = vfprintf(stream, format, list);
  va_end(list);
  return length;
}

/* Reading. */

int fgetc_unlocked(FILE *stream) {
  return support_read(support_stream(stream));
}

int getc_unlocked(FILE *stream) {
  return fgetc_unlocked(stream);
}

char *fgets_unlocked(char *restrict text, int size, FILE *restrict stream) {
  struct __rmc_stream *read = support_stream(stream);
  int at = 0, byte = 0;
  if (size <= 0)
    return NULL;
  while (at < size - 1 && byte != '\n' && (byte = support_read(read)) != EOF)
    text[at++] = (char)byte;
  if (at == 0 && byte == EOF)
    return NULL;
  text[at] = 0;
  return text;
}

size_t fread_unlocked(void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
  struct __rmc_stream *read = support_stream(stream);
  char *place = bytes;
  size_t wanted = size * count, done = 0;
  if (wanted == 0 || !support_may(read, READ))
    return 0;
  if (read->back != EOF)
    place[done++] = (char)support_read(read);
  size_t left = read->at < read->file->size && !read->ended ? read->file->size - read->at : 0;
  size_t piece = wanted - done < left ? wanted - done : left;
  memcpy(place + done, read->file->data + read->at, piece);
  read->at += piece;
  read->ended |= done + piece < wanted;
  return (done + piece) / size;
}

LOCKED(int, fgetc, fgetc_unlocked, (FILE *stream), (stream))
LOCKED(int, getc, fgetc_unlocked, (FILE *stream), (stream))
LOCKED(char *, fgets, fgets_unlocked, (char *restrict text, int size, FILE *restrict stream), (text, size, stream))
LOCKED(size_t, fread, fread_unlocked, (void *restrict bytes, size_t size, size_t count, FILE *restrict stream),
       (bytes, size, count, stream))

/* What the inline functions of optimising headers call. */
int __uflow(FILE *stream) {
  return fgetc(stream);
}

int ungetc(int byte, FILE *stream) {
  struct __rmc_stream *held = support_hold(stream);
  if (byte != EOF) {
    if (held->back != EOF || held->at == 0)
      __rmc_unsupported("a second byte that is pushed back, or one before the beginning of a file");
    held->at--;
    held->back = (unsigned char)byte;
    held->ended = false;
  }
  support_release(held);
  return byte == EOF ? EOF : (unsigned char)byte;
}

ssize_t getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream) {
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  struct __rmc_stream *held = support_hold(stream);
  size_t at = 0;
  int byte = EOF;
  if (!*line)
    *room = 0;
  do {
    byte = support_read(held);
    if (at + 2 > *room) {
      size_t more = *room < 60 ? 120 : 2 * *room;
      char *text = realloc(*line, more);
      if (!text) {
        at = 0;
        held->failed = true;
        break;
      }
      *line = text;
      *room = more;
    }
    if (byte != EOF)
      (*line)[at++] = (char)byte;
    (*line)[at] = 0;
  } while (byte != EOF && byte != delimiter);
  support_release(held);
  return at ? (ssize_t)at : -1;
}

ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
  return getdelim(line, room, '\n', stream);
}

#define SCANS(function, name, with_list, list_name)                                                                   \
  int with_list(FILE *restrict stream, const char *restrict format, va_list list) __asm__(list_name);                 \
  int with_list(FILE *restrict stream, const char *restrict format, va_list list) {                                   \
    return support_scan_stream(stream, format, list);                                                                 \
  }                                                                                                                   \
  int function(FILE *restrict stream, const char *restrict format, ...) __asm__(name);                                \
  int function(FILE *restrict stream, const char *restrict format, ...) {                                             \
    va_list list;                                                                                                     \
    va_start(list, format);                                                                                           \
    int assigned = support_scan_stream(stream, format, list);                                                         \
    va_end(list);                                                                                                     \
    return assigned;                                                                                                  \
  }

/* The rest of the file, as a text. */
static int support_scan_stream(FILE *stream, const char *format, va_list list) {
  struct __rmc_stream *held = support_hold(stream);
  struct __rmc_file *file = held->file;
  int assigned = EOF;
  if (support_may(held, READ)) {
    size_t left = held->at < file->size ? file->size - held->at : 0;
    char *text = malloc(left + 1);
    if (!text) {
      held->failed = true;
    } else {
      memcpy(text, file->data + held->at, left);
      if (held->back != EOF)
        text[0] = (char)held->back;
      text[left] = 0;
      if (strlen(text) != left)
        __rmc_unsupported("a zero in a file that `fscanf` reads");
      struct __rmc_scan scan = {.text = text, .start = text};
      assigned = support_scan_all(&scan, format, list);
      held->at += (size_t)(scan.text - text);
      held->back = scan.text == text ? held->back : EOF;
      held->ended |= scan.met_end;
      free(text);
    }
  }
  support_release(held);
  return assigned;
}

SCANS(__rmc_fscanf, "fscanf", __rmc_vfscanf, "vfscanf")
SCANS(__rmc_fscanf99, "__isoc99_fscanf", __rmc_vfscanf99, "__isoc99_vfscanf")
SCANS(__rmc_fscanf23, "__isoc23_fscanf", __rmc_vfscanf23, "__isoc23_vfscanf")

/* Position. */

int fseek(FILE *stream, long offset, int whence) {
  struct __rmc_stream *held = support_hold(stream);
  long from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)held->at : (long)held->file->size, to;
  bool valid = whence == SEEK_SET || whence == SEEK_CUR || whence == SEEK_END;
  valid = valid && !__builtin_add_overflow(from, offset, &to) && to >= 0;
  if (valid) {
    held->at = (size_t)to;
    held->back = EOF;
    held->ended = false;
    held->last = NOTHING;
  } else {
    errno = EINVAL;
  }
  support_release(held);
  return valid ? 0 : -1;
}

long ftell(FILE *stream) {
  struct __rmc_stream *held = support_hold(stream);
  long at = (long)(held->appends && held->last == WRITTEN ? held->file->size : held->at);
  support_release(held);
  return at;
}

int fseeko(FILE *stream, off_t offset, int whence) {
  return fseek(stream, offset, whence);
}

off_t ftello(FILE *stream) {
  return ftell(stream);
}

void rewind(FILE *stream) {
  struct __rmc_stream *held = support_hold(stream);
  fseek(stream, 0, SEEK_SET);
  held->failed = false;
  support_release(held);
}

int fgetpos(FILE *restrict stream, fpos_t *restrict place) {
  memset(place, 0, sizeof *place);
  place->__pos = ftell(stream);
  return 0;
}

int fsetpos(FILE *stream, const fpos_t *place) {
  return fseek(stream, place->__pos, SEEK_SET);
}

/* What is known of a stream. */

int __rmc_fileno(FILE *stream);

int feof_unlocked(FILE *stream) {
  return !support_is_standard(stream) && support_stream(stream)->ended;
}

int ferror_unlocked(FILE *stream) {
  return !support_is_standard(stream) && support_stream(stream)->failed;
}

LOCKED(int, feof, feof_unlocked, (FILE *stream), (stream))
LOCKED(int, ferror, ferror_unlocked, (FILE *stream), (stream))

void clearerr(FILE *stream) {
  if (support_is_standard(stream))
    return;
  struct __rmc_stream *held = support_hold(stream);
  held->ended = held->failed = false;
  support_release(held);
}

int fflush(FILE *stream) {
  if (stream && !support_is_standard(stream)) {
    struct __rmc_stream *held = support_hold(stream);
    if (held->last == WRITTEN)
      held->last = NOTHING;
    support_release(held);
  }
  return 0;
}

int fileno(FILE *stream) {
  if (support_is_standard(stream))
    return __rmc_fileno(stream);
  __rmc_unsupported("the descriptor of a file");
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  (void)stream, (void)buffer, (void)mode, (void)size;
  return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
  (void)stream, (void)buffer;
}

void setlinebuf(FILE *stream) {
  (void)stream;
}

void flockfile(FILE *stream) {
  support_hold(stream);
}

int ftrylockfile(FILE *stream) {
  return pthread_mutex_trylock(&support_stream(stream)->lock) != 0;
}

void funlockfile(FILE *stream) {
  support_release(support_stream(stream));
}
