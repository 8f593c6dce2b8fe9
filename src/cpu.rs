//! One source, several processors.
//!
//! The kernels are portable loops over words. [`run`] compiles a whole [`Task`] three times, for the
//! baseline processor, for AVX2 and for AVX-512, and enters the best copy this machine can execute.
//! Everything a task calls on its hot path is `#[inline(always)]`, so it inherits the instruction set
//! of the copy it is in. The only instructions asked for by name are `pext` and `pdep`; [`Portable`]
//! is their plain twin.

/// Bit gathering and scattering, which not every processor has in hardware.
pub trait Cpu: Copy {
    /// Gathers the bits of `value` selected by `mask` into the low bits of the result, in order.
    fn pext(value: u32, mask: u32) -> u32;
    /// Spreads the low bits of `value` to the places where `mask` has ones, in order.
    fn pdep(value: u32, mask: u32) -> u32;
    /// [`Cpu::pext`] on 64 bits.
    fn pext64(value: u64, mask: u64) -> u64;
    /// [`Cpu::pdep`] on 64 bits.
    fn pdep64(value: u64, mask: u64) -> u64;
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn pext(value: u32, mask: u32) -> u32 {
        Self::pext64(value.into(), mask.into()) as u32
    }

    #[inline(always)]
    fn pdep(value: u32, mask: u32) -> u32 {
        Self::pdep64(value.into(), mask.into()) as u32
    }

    #[inline(always)]
    fn pext64(value: u64, mut mask: u64) -> u64 {
        let (mut result, mut place) = (0, 0);
        while mask != 0 {
            result |= (value >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        result
    }

    #[inline(always)]
    fn pdep64(mut value: u64, mut mask: u64) -> u64 {
        let mut result = 0;
        while mask != 0 {
            result |= (value & 1) << mask.trailing_zeros();
            value >>= 1;
            mask &= mask - 1;
        }
        result
    }
}

/// A piece of work that can be compiled for several processors.
pub trait Task {
    /// What the work returns.
    type Output;
    /// Does the work. Must be `#[inline(always)]`, with everything hot below it.
    fn run<C: Cpu>(self) -> Self::Output;
}

/// An instruction set this program has a copy of the kernels for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Whatever the target guarantees.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    Avx2,
    /// x86-64 with AVX-512 (F, BW, VL, DQ) and BMI2.
    Avx512,
}

impl Level {
    /// All levels this machine can execute, the plainest first.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if avx2 {
                levels.push(Level::Avx2);
            }
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
            {
                levels.push(Level::Avx512);
            }
        }
        levels
    }

    /// The best level of this machine.
    pub fn best() -> Level {
        *Level::available()
            .last()
            .expect("the portable level is always there")
    }
}

/// Runs a task on the copy compiled for `level`.
///
/// # Panics
/// When this machine lacks the level.
pub fn run<T: Task>(level: Level, task: T) -> T::Output {
    match level {
        Level::Portable => task.run::<Portable>(),
        #[cfg(target_arch = "x86_64")]
        _ => {
            assert!(level <= Level::best(), "this processor lacks {level:?}");
            // SAFETY: `Level::best` has asked the processor for every feature the copy is compiled with.
            unsafe {
                match level {
                    Level::Avx512 => x86::run_avx512(task),
                    _ => x86::run_avx2(task),
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        _ => panic!("this processor lacks {level:?}"),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{_pdep_u32, _pdep_u64, _pext_u32, _pext_u64};

    use super::{Cpu, Task};

    /// Proof by construction: only handed to a task inside the two functions below, after the check in `run`.
    #[derive(Clone, Copy, Debug)]
    pub struct Bmi2;

    // SAFETY of the four calls: this type is only used inside `run_avx2` and `run_avx512`, where BMI2 is present.
    impl Cpu for Bmi2 {
        #[inline(always)]
        fn pext(value: u32, mask: u32) -> u32 {
            unsafe { _pext_u32(value, mask) }
        }

        #[inline(always)]
        fn pdep(value: u32, mask: u32) -> u32 {
            unsafe { _pdep_u32(value, mask) }
        }

        #[inline(always)]
        fn pext64(value: u64, mask: u64) -> u64 {
            unsafe { _pext_u64(value, mask) }
        }

        #[inline(always)]
        fn pdep64(value: u64, mask: u64) -> u64 {
            unsafe { _pdep_u64(value, mask) }
        }
    }

    /// # Safety
    /// The processor must have the named features.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub unsafe fn run_avx2<T: Task>(task: T) -> T::Output {
        task.run::<Bmi2>()
    }

    /// # Safety
    /// The processor must have the named features.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq")]
    pub unsafe fn run_avx512<T: Task>(task: T) -> T::Output {
        task.run::<Bmi2>()
    }
}
