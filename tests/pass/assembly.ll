; Inline assembly in the constraint forms that clang gives the headers of Linux, Concurrency Kit and others.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @fences() {
  tail call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "sfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "lfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "pause", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "rep; nop", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "rep nop", "~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "lock; addl $$0,0(%rsp)", "~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "lock; orq $$0x0, (%rsp)", "~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"()
  tail call void asm sideeffect "lock addl $$0, -128(%rsp)\0A\09mfence", "~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

define i32 @hidden(i32 %0, ptr %1) {
  %3 = tail call i32 asm "", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %0)
  tail call void asm sideeffect "", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %1, ptr elementtype(i32) %1)
  ret i32 %3
}

define i32 @xadd(ptr %0, i32 %1) {
  %3 = tail call i32 asm sideeffect "lock; xaddl $0, $1", "=r,=*m,0,*m,~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %1, ptr elementtype(i32) %0)
  ret i32 %3
}

define i32 @xadd_by_register(ptr %0, i32 %1) {
  %3 = tail call i32 asm sideeffect "lock xaddl $0,($1)", "=r,r,0,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %0, i32 %1)
  ret i32 %3
}

define zeroext i16 @xaddw(ptr %0, i16 zeroext %1) {
  %3 = tail call i16 asm sideeffect "lock; xadd $0, $1", "=r,=*m,0,*m,~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i16) %0, i16 %1, ptr elementtype(i16) %0)
  ret i16 %3
}

define zeroext i8 @xchgb(ptr %0, i8 zeroext %1) {
  %3 = tail call i8 asm sideeffect "xchgb $0, $1", "=q,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %0, i8 %1, ptr elementtype(i8) %0)
  ret i8 %3
}

define ptr @xchgq(ptr %0, ptr %1) {
  %3 = tail call ptr asm sideeffect "xchgq $1, $0", "=*m,=r,*m,1,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(ptr) %0, ptr elementtype(ptr) %0, ptr %1)
  ret ptr %3
}

define i64 @cmpxchg(ptr %0, i64 %1, i64 %2) {
  %4 = tail call i64 asm sideeffect "lock; cmpxchgq $2,$1", "={ax},=*m,r,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 %2, i64 %1, ptr elementtype(i64) %0)
  ret i64 %4
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

define zeroext i1 @ck_cas(ptr %0, i32 %1, i32 %2) {
  %4 = tail call i8 asm sideeffect "lock cmpxchgl $2, $0; setz $1;", "=*m,={ax},q,{ax},*m,~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %2, i32 %1, ptr elementtype(i32) %0)
  %5 = and i8 %4, 1
  %6 = icmp ne i8 %5, 0
  ret i1 %6
}

define zeroext i1 @ck_cas_value(ptr %0, i32 %1, i32 %2, ptr %3) {
  %5 = tail call i8 asm sideeffect "lock cmpxchgl $3, $0; mov % eax, $2; setz $1;", "=*m,={ax},=*m,q,{ax},*m,~{memory},~{cc},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %3, i32 %2, i32 %1, ptr elementtype(i32) %0)
  %6 = and i8 %5, 1
  %7 = icmp ne i8 %6, 0
  ret i1 %7
}

define zeroext i1 @cas_flag(ptr %0, i32 %1, i32 %2) {
  %4 = tail call { i8, i32 } asm sideeffect "lock cmpxchgl $3, $0", "=*m,={@ccz},={ax},r,*m,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %2, ptr elementtype(i32) %0, i32 %1)
  %5 = extractvalue { i8, i32 } %4, 0
  %6 = icmp ult i8 %5, 2
  tail call void @llvm.assume(i1 %6)
  %7 = icmp ne i8 %5, 0
  ret i1 %7
}

declare void @llvm.assume(i1 noundef)

define zeroext i1 @sete(ptr %0, i32 %1, i32 %2) {
  %4 = tail call { i8, i32 } asm sideeffect "lock; cmpxchgl $3, $1; sete $0", "=q,=*m,={ax},r,*m,2,~{cc},~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %2, ptr elementtype(i32) %0, i32 %1)
  %5 = extractvalue { i8, i32 } %4, 0
  %6 = icmp ne i8 %5, 0
  ret i1 %6
}

define zeroext i1 @dec_and_test(ptr %0) {
  %2 = alloca i8, align 1
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %2)
  call void asm sideeffect "lock; decl $0; sete $1", "=*m,=*qm,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr nonnull elementtype(i8) %2, ptr elementtype(i32) %0)
  %3 = load i8, ptr %2, align 1
  %4 = icmp ne i8 %3, 0
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %2)
  ret i1 %4
}

define zeroext i1 @dec_and_test_flag(ptr %0) {
  %2 = tail call i8 asm sideeffect ".pushsection .smp_locks,\22a\22\0A.balign 4\0A.long 671f - .\0A.popsection\0A671:\0A\09lock; decl $0", "=*m,={@cce},*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  %3 = icmp ult i8 %2, 2
  tail call void @llvm.assume(i1 %3)
  %4 = icmp ne i8 %2, 0
  ret i1 %4
}

define zeroext i1 @add_negative(ptr %0, i32 %1) {
  %3 = alloca i8, align 1
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %3)
  call void asm sideeffect "lock; addl $2, $0; sets $1", "=*m,=*qm,er,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr nonnull elementtype(i8) %3, i32 %1, ptr elementtype(i32) %0)
  %4 = load i8, ptr %3, align 1
  %5 = icmp ne i8 %4, 0
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %3)
  ret i1 %5
}

define zeroext i1 @add_negative_r(ptr %0, i32 %1) {
  %3 = tail call i8 asm sideeffect "lock; addl $2, $0; sets $1", "=*m,=q,er,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %1, ptr elementtype(i32) %0)
  %4 = and i8 %3, 1
  %5 = icmp ne i8 %4, 0
  ret i1 %5
}

define void @forms(ptr %0, ptr %1, ptr %2) {
  tail call void asm sideeffect "lock; addl $1,$0", "=*m,ir,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 5, ptr elementtype(i32) %0)
  tail call void asm sideeffect "lock; subq $1,$0", "=*m,er,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %2, i64 7, ptr elementtype(i64) %2)
  tail call void asm sideeffect "lock; incl $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "lock; incb $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %1, ptr elementtype(i8) %1)
  tail call void asm sideeffect "lock; orb ${1:b},$0", "=*m,iq,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %1, i32 128, ptr elementtype(i8) %1)
  tail call void asm sideeffect "lock; andl $$15,$0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "lock; xorq $1,$0", "=*m,r,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %2, i64 9, ptr elementtype(i64) %2)
  ret void
}

define i32 @moves(ptr %0, ptr %1, i32 %2, double %3) {
  tail call void asm sideeffect "movl $$1, $0", "=*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0)
  tail call void asm sideeffect "mov $1, $0; mfence", "=*m,r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %2)
  tail call void asm sideeffect "movb ${1:b}, $0", "=*m,q,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %0, i32 %2)
  tail call void asm sideeffect "movq $1, $0", "=*m,r,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(double) %0, double %3)
  %5 = tail call i32 asm sideeffect "movl $1, $0", "=r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0)
  %6 = tail call i32 asm sideeffect "mov 4($1), $0", "=r,r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %0)
  %7 = tail call ptr asm "movq $1, $0", "=r,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(ptr) %1)
  tail call void asm sideeffect "prefetchw ($0)", "r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %7)
  %8 = add i32 %5, %6
  ret i32 %8
}

define void @twice(ptr %0) {
  tail call void asm sideeffect "lock; addl $$1, $0; lock; notl $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  ret void
}

define { i64, i64 } @pair(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4) {
  %6 = tail call { i64, i64, i8 } asm sideeffect "lock;cmpxchg16b $0;setz $3;", "=*m,={ax},={dx},=q,{bx},{cx},*m,1,2,~{cc},~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype([2 x i64]) %0, i64 %3, i64 %4, ptr elementtype([2 x i64]) %0, i64 %1, i64 %2)
  %7 = extractvalue { i64, i64, i8 } %6, 0
  %8 = extractvalue { i64, i64, i8 } %6, 1
  %9 = insertvalue { i64, i64 } poison, i64 %7, 0
  %10 = insertvalue { i64, i64 } %9, i64 %8, 1
  ret { i64, i64 } %10
}

define i8 @pair_loaded(ptr %0, ptr %1, i64 %2, i64 %3) {
  %5 = tail call i8 asm sideeffect "movq 0($4), %rax;movq 8($4), %rdx;lock cmpxchg16b $0; setz $1", "=*m,=q,{bx},{cx},q,*m,~{memory},~{cc},~{rax},~{rdx},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 %2, i64 %3, ptr %1, ptr elementtype(i64) %0)
  ret i8 %5
}

define void @tied(ptr %0, i32 %1, i8 %2) {
  call void asm "", "=*imr,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 %1)
  call void asm sideeffect "lock; xaddl $1, $0; mfence", "=*m,=*rm,1,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0, i32 %1, ptr elementtype(i32) %0)
  ret void
}

define void @kept(ptr %0, ptr nocapture readnone %1) {
  %3 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},~{dirflag},~{fpsr},~{flags}"(i32 0)
  tail call void asm sideeffect "addl $$1, $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "lock; btsl $$1, $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "movl ${1:k}, $0", "=*m,r,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i16 1)
  tail call void asm sideeffect "movl ${1:w}, $0", "=*m,r,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  %4 = tail call i64 asm sideeffect "movl $1, ${0:k}", "=r,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0)
  %wide = tail call i64 asm sideeffect "lock; cmpxchgl $2, $1", "={ax},=*m,r,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1, i64 2, ptr elementtype(i32) %0)
  %5 = tail call i32 asm sideeffect "movl %fs:0, $0", "=r,~{dirflag},~{fpsr},~{flags}"()
  %6 = tail call i32 asm sideeffect "lock; cmpxchgl $1, $2; sete ${0:b}", "=q,r,*m,{ax},~{dirflag},~{fpsr},~{flags}"(i32 1, ptr elementtype(i32) %0, i32 0)
  tail call void asm sideeffect "lock; cmpxchg16b $0", "=*m,{bx},{cx},*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 1, i64 2, ptr elementtype(i64) %0)
  tail call void asm sideeffect "cmpxchg16b $0", "=*m,{ax},{dx},{bx},{cx},*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 1, i64 2, i64 3, i64 4, ptr elementtype(i64) %0)
  call void asm "", "=*m,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  call void asm "", "=*imr,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i32 1)
  call void asm "", "=*X,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  tail call void asm sideeffect "lock; addl $$1, (%rsp)", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

