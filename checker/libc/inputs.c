/* Inputs of many bytes (include/rmc.h). */

long rmc_int(long least, long most);

void rmc_bytes(void *place, unsigned long size) {
  unsigned char *byte = place;
  for (unsigned long at = 0; at < size; at++)
    byte[at] = (unsigned char)rmc_int(0, 255);
}
